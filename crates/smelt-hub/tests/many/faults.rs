//! Whoever is killed, nothing is lost and nothing counts twice.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::nodes::{Net, alone, servers};

fn kill(pid: i32) {
    assert!(Command::new("kill").args(["-9", &pid.to_string()]).status().unwrap().success());
}

/// A worker is killed at its first finding, the server behind that, then the hub; those who come then do the rest.
#[test]
fn whoever_is_killed() {
    for (version, server) in servers() {
        let net = Net::new(&format!("killed-{version}"));
        let whole = alone();
        let mut hub = net.hub(&server, false);
        let mut first = net.worker(&hub, 0);
        first.hear("on its way to the hub");
        first.kill();
        let mut second = net.worker(&hub, 1);
        second.hear("on its way to the hub");
        kill(hub.server);
        hub.hear("started again");
        hub.kill();
        // Its own server is gone with it; the worker that is there waits for the next one.
        assert!(!Path::new(&format!("/proc/{}", hub.server)).exists() || is_gone(hub.server));
        let mut hub = net.hub(&server, true);
        let mut third = net.worker(&hub, 0);
        let said = hub.wait();
        [&mut second, &mut third].into_iter().for_each(|w| drop(w.wait()));
        assert_eq!(net.ledger(), whole.positions, "{version}: {said}");
        assert_eq!(net.findings(), whole.findings, "{version}: {said}");
        assert!(net.processes().is_empty(), "{:?}", net.processes());
    }
}

fn is_gone(pid: i32) -> bool {
    (0..200).any(|_| {
        std::thread::sleep(std::time::Duration::from_millis(50));
        !Path::new(&format!("/proc/{pid}")).exists()
    })
}

/// A wire that can be cut: what comes in on one side goes out on the other, unless it is cut.
struct Wire {
    cut: Arc<AtomicBool>,
    url: String,
}

impl Wire {
    fn to(url: &str) -> Self {
        let target = url.trim_start_matches("nats://").to_owned();
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("nats://{}", listener.local_addr().unwrap());
        let cut = Arc::new(AtomicBool::new(false));
        let is_cut = cut.clone();
        std::thread::spawn(move || {
            for near in listener.incoming().map_while(Result::ok) {
                let Some(far) =
                    TcpStream::connect(&target).ok().filter(|_| !is_cut.load(Ordering::Relaxed))
                else {
                    continue;
                };
                let ways = [(near.try_clone(), far.try_clone()), (Ok(far), Ok(near))];
                for (from, to) in ways {
                    let (Ok(from), Ok(to), cut) = (from, to, is_cut.clone()) else { continue };
                    std::thread::spawn(move || copy(from, to, &cut));
                }
            }
        });
        Self { cut, url }
    }
}

fn copy(mut from: TcpStream, mut to: TcpStream, cut: &AtomicBool) {
    let _ = from.set_read_timeout(Some(std::time::Duration::from_millis(50)));
    let mut buffer = [0; 8192];
    while !cut.load(Ordering::Relaxed) {
        match from.read(&mut buffer) {
            Ok(0) => break,
            Ok(n) if to.write_all(&buffer[..n]).is_err() => break,
            Err(e)
                if !matches!(
                    e.kind(),
                    std::io::ErrorKind::WouldBlock | std::io::ErrorKind::TimedOut
                ) =>
            {
                break;
            }
            _ => {}
        }
    }
    let _ = to.shutdown(std::net::Shutdown::Both);
    let _ = from.shutdown(std::net::Shutdown::Both);
}

/// The network of a worker is cut for longer than its lease lasts: somebody else does its positions, it does them too, and they count once.
#[test]
fn a_network_that_is_cut() {
    let Some((_, server)) = servers().into_iter().next() else { return };
    let net = Net::new("cut");
    let whole = alone();
    let mut hub = net.hub(&server, false);
    let wire = Wire::to(&hub.url);
    let mut far = net.worker_at(&wire.url, &hub.campaign, 0);
    far.hear("on its way to the hub");
    wire.cut.store(true, Ordering::Relaxed);
    let mut near = net.worker(&hub, 1);
    near.hear("on its way to the hub");
    wire.cut.store(false, Ordering::Relaxed);
    let said = hub.wait();
    near.wait();
    assert_eq!(net.ledger(), whole.positions, "{said}");
    assert_eq!(net.findings(), whole.findings, "{said}");
    far.kill();
    assert!(net.processes().is_empty(), "{:?}", net.processes());
}
