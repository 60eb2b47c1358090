//! CPU time and memory of running processes.

use std::time::Duration;

use nix::time::{ClockId, clock_gettime};
use nix::unistd::Pid;

/// CPU time of a process so far, all threads, from its CPU clock. `None` when it is gone.
pub(crate) fn cpu_of(pid: Pid) -> Option<Duration> {
    let clock = ClockId::pid_cpu_clock_id(pid).ok()?;
    clock_gettime(clock).ok().map(Duration::from)
}

/// CPU time of a process and all below it so far, with those that have ended and were waited for: the kernel adds these up for their parent.
pub(crate) fn cpu_with_ended(pid: Pid) -> Duration {
    let ticks = |pid: &Pid| {
        let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
        // The name in parentheses may hold blanks; behind it the four times are fields 11 to 14.
        let fields = stat.rsplit_once(')').map_or("", |(_, rest)| rest).split_whitespace();
        fields.skip(11).take(4).filter_map(|f| f.parse::<u64>().ok()).sum::<u64>()
    };
    let all: u64 = tree_of(pid).iter().map(ticks).sum();
    let rate = match nix::unistd::sysconf(nix::unistd::SysconfVar::CLK_TCK) {
        Ok(Some(rate)) if rate > 0 => rate as f64,
        _ => 100.0,
    };
    Duration::from_secs_f64(all as f64 / rate)
}

/// Resident size of a process in bytes. `None` when it is gone.
pub(crate) fn rss_of(pid: Pid) -> Option<u64> {
    let text = std::fs::read_to_string(format!("/proc/{pid}/statm")).ok()?;
    let pages: u64 = text.split_whitespace().nth(1)?.parse().ok()?;
    Some(pages * page_size())
}

fn page_size() -> u64 {
    use std::sync::OnceLock;
    static SIZE: OnceLock<u64> = OnceLock::new();
    *SIZE.get_or_init(|| match nix::unistd::sysconf(nix::unistd::SysconfVar::PAGE_SIZE) {
        Ok(Some(size)) if size > 0 => size as u64,
        _ => 4096,
    })
}

/// Whether a process waits for something other than the disk or the processor. One that is gone does.
pub(crate) fn is_asleep(pid: Pid) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    // The name in parentheses may hold blanks; the state is the first field behind it.
    let state = stat.rsplit_once(')').and_then(|(_, rest)| rest.split_whitespace().next());
    !matches!(state, Some("R" | "D"))
}

/// Direct children of a process. Falls back to a scan of `/proc` on kernels without the children file.
pub(super) fn children_of(pid: Pid) -> Vec<Pid> {
    let mut found = Vec::new();
    let Ok(tasks) = std::fs::read_dir(format!("/proc/{pid}/task")) else { return found };
    let mut file_exists = false;
    for task in tasks.flatten() {
        if let Ok(text) = std::fs::read_to_string(task.path().join("children")) {
            file_exists = true;
            found.extend(text.split_whitespace().filter_map(|p| p.parse().ok()).map(Pid::from_raw));
        }
    }
    if !file_exists {
        found = scan_for_children(pid);
    }
    found
}

fn scan_for_children(pid: Pid) -> Vec<Pid> {
    let Ok(entries) = std::fs::read_dir("/proc") else { return Vec::new() };
    entries
        .flatten()
        .filter_map(|e| e.file_name().to_str()?.parse::<i32>().ok())
        .filter(|candidate| {
            let stat =
                std::fs::read_to_string(format!("/proc/{candidate}/stat")).unwrap_or_default();
            // The name in parentheses may hold blanks; the parent is the second field behind it.
            let parent = stat
                .rsplit_once(')')
                .and_then(|(_, rest)| rest.split_whitespace().nth(1)?.parse::<i32>().ok());
            parent == Some(pid.as_raw())
        })
        .map(Pid::from_raw)
        .collect()
}

/// A process and all its descendants.
pub(crate) fn tree_of(pid: Pid) -> Vec<Pid> {
    let mut tree = vec![pid];
    let mut next = 0;
    while next < tree.len() && tree.len() < 4096 {
        let children = children_of(tree[next]);
        tree.extend(children);
        next += 1;
    }
    tree
}
