//! The live page of a campaign: a server on this machine's own address whose pages move as the campaign goes on.
//!
//! [`serve`] begins it. Whoever runs the campaign gives it the events that the terminal and `--json` show ([`Handle::feed`]). Nobody ever waits
//! for the page: what comes while it is busy is dropped, and findings are read from their folders, which are the truth.

mod address;
mod connections;
mod guard;
mod mark;
mod render;
mod routes;
mod shell;

use std::net::{SocketAddr, TcpListener};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{SyncSender, sync_channel};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use smelt_campaign::event::{Event, Snapshot};
use smelt_campaign::journal::Sample;
use tokio::sync::{oneshot, watch};

pub use address::{Token, address};
use render::{Change, Rendered, Renderer};

/// Between two of these the page is not told how things stand: the campaign says so ten times a second.
const EVERY: Duration = Duration::from_millis(500);
/// Changes that wait for the page; what does not fit is dropped.
const WAITING: usize = 64;
/// Those who look at the page get the last words of the campaign within this time.
const LAST_WORDS: Duration = Duration::from_secs(1);

/// What the page is about.
#[derive(Clone, Debug, Default)]
pub struct Show {
    /// The campaign's folder: its findings are shown, and marks are written to it.
    pub folder: PathBuf,
    /// The name of the campaign.
    pub title: String,
    /// Solvers under test.
    pub solvers: Vec<String>,
    /// How it went on before, if it was resumed.
    pub samples: Vec<Sample>,
}

/// A page that is being served, until this value is dropped.
pub struct Handle {
    address: SocketAddr,
    token: Token,
    changes: SyncSender<Change>,
    /// Whether there are findings that the page was not told of.
    stale: Arc<AtomicBool>,
    told: Mutex<Option<Instant>>,
    renderer: Option<JoinHandle<()>>,
    server: Option<(oneshot::Sender<()>, JoinHandle<()>)>,
}

/// Takes the port of a page; who comes before the page is served waits.
pub fn listen(address: SocketAddr) -> Result<TcpListener> {
    TcpListener::bind(address).with_context(|| format!("cannot show the page at {address}"))
}

/// Serves the page; who wants to mark a bug needs the token. Beyond this machine nothing is shown without it.
pub fn serve(listener: TcpListener, token: Token, show: Show) -> Result<Handle> {
    let what = || "cannot serve the page";
    listener.set_nonblocking(true).with_context(what)?;
    let address = listener.local_addr().with_context(what)?;
    let (changes, changed) = sync_channel(WAITING);
    let (views, looked_at) = watch::channel(Arc::new(Rendered::default()));
    let stale = Arc::new(AtomicBool::new(true));
    let server = routes::Server {
        address,
        token: token.clone(),
        folder: show.folder.clone(),
        title: show.title.clone(),
        views: Arc::new(looked_at),
        changes: changes.clone(),
        stale: stale.clone(),
        marking: Arc::new(Mutex::new(())),
    };
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_io()
        .enable_time()
        .max_blocking_threads(2)
        .build()
        .with_context(what)?;
    let renderer = Renderer::new(show, stale.clone(), views);
    let thread = |name: &str| std::thread::Builder::new().name(name.to_owned());
    let renderer = thread("page").spawn(move || renderer.run(&changed)).with_context(what)?;
    let (stop, stopped) = oneshot::channel();
    let serving = move || {
        let bounded = LAST_WORDS;
        runtime.block_on(routes::run(listener, server, stopped, bounded));
        runtime.shutdown_timeout(bounded);
    };
    let server = thread("page-server").spawn(serving).with_context(what)?;
    let (renderer, server) = (Some(renderer), Some((stop, server)));
    Ok(Handle { address, token, changes, stale, told: Mutex::new(None), renderer, server })
}

impl Handle {
    /// The address for a browser.
    pub fn url(&self) -> String {
        format!("http://{}/", self.address)
    }

    /// What who marks bugs has to know.
    pub fn token(&self) -> &Token {
        &self.token
    }

    /// Something happened. This never waits.
    pub fn feed(&self, event: &Event) {
        match event {
            Event::Progress(now) => self.progress(now),
            Event::Found { .. } | Event::Settled { .. } => {
                self.stale.store(true, Ordering::Relaxed);
                let _ = self.changes.try_send(Change::Folder);
            }
            Event::Message { .. } | Event::Remark { .. } => {}
        }
    }

    fn progress(&self, now: &Snapshot) {
        let Ok(mut told) = self.told.try_lock() else { return };
        if told.is_none_or(|at| at.elapsed() >= EVERY) {
            *told = Some(Instant::now());
            let _ = self.changes.try_send(Change::Now(Box::new(now.clone())));
        }
    }

    /// The campaign has ended: how it stood. Who looks at the page is told.
    pub fn end(self, last: &Snapshot) {
        let _ = self.changes.try_send(Change::Now(Box::new(last.clone())));
    }
}

impl Drop for Handle {
    fn drop(&mut self) {
        // It may be busy with what came before; then there is room in a moment.
        let _ = self.changes.send(Change::End);
        if let Some(renderer) = self.renderer.take() {
            let _ = renderer.join();
        }
        if let Some((stop, server)) = self.server.take() {
            let _ = stop.send(());
            let _ = server.join();
        }
    }
}
