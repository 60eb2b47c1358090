//! What the server answers.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::SyncSender;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::Router;
use axum::body::{Body, Bytes, to_bytes};
use axum::extract::{Request, State};
use axum::http::header::{
    ALLOW, CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, REFERRER_POLICY,
    X_CONTENT_TYPE_OPTIONS,
};
use axum::http::{HeaderName, HeaderValue, StatusCode};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use futures_util::stream::unfold;
use smelt_page::STYLE;
use tokio::sync::{oneshot, watch};

use super::address::Token;
use super::connections::Bounded;
use super::guard;
use super::mark::mark;
use super::render::{Change, Rendered};
use super::shell::{LOOK, POLICY, SCRIPT, shell};

/// Most bytes of a request's body.
const LARGEST: usize = 4096;
/// A word is sent at least so often, so that both sides know that the other is there.
const SIGN_OF_LIFE: Duration = Duration::from_secs(10);

/// What answers need.
#[derive(Clone)]
pub struct Server {
    pub address: SocketAddr,
    pub token: Token,
    pub folder: PathBuf,
    pub title: String,
    /// One for all answers, so that each further one is somebody who looks.
    pub views: Arc<watch::Receiver<Arc<Rendered>>>,
    pub changes: SyncSender<Change>,
    pub stale: Arc<AtomicBool>,
    /// Held by who marks a bug: the list is read and written as a whole.
    pub marking: Arc<Mutex<()>>,
}

/// Answers until it is told to stop, and then for so long at most.
pub async fn run(
    listener: std::net::TcpListener,
    server: Server,
    stop: oneshot::Receiver<()>,
    most: Duration,
) {
    let Ok(listener) = tokio::net::TcpListener::from_std(listener) else { return };
    let app = Router::new()
        .route("/", get(page))
        .route("/page.css", get(look))
        .route("/page.js", get(script))
        .route("/events", get(events))
        .route("/mark", post(marked))
        .layer(from_fn_with_state(server.clone(), guarded))
        .with_state(server);
    let (ending, ended) = oneshot::channel::<()>();
    let until = async move { drop(ended.await) };
    let serving = axum::serve(Bounded::new(listener), app).with_graceful_shutdown(until);
    let serving = tokio::spawn(serving.into_future());
    let _ = stop.await;
    drop(ending);
    let _ = tokio::time::timeout(most, serving).await;
}

/// Refuses what is not for this page, and says of every answer what a browser may do with it.
async fn guarded(State(server): State<Server>, request: Request, next: Next) -> Response {
    let parts = (request.method(), request.uri(), request.headers());
    let mut answer = match guard::admit(server.address, &server.token, parts) {
        Ok(()) => next.run(request).await,
        Err((code, why)) => (code, why).into_response(),
    };
    let own = HeaderName::from_static;
    for (name, value) in [
        (CONTENT_SECURITY_POLICY, POLICY),
        (X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (REFERRER_POLICY, "no-referrer"),
        (CACHE_CONTROL, "no-store"),
        (own("cross-origin-resource-policy"), "same-origin"),
        (own("cross-origin-opener-policy"), "same-origin"),
    ] {
        answer.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    answer.headers_mut().remove(ALLOW);
    answer
}

async fn page(State(server): State<Server>) -> Response {
    let needs_token = !server.address.ip().is_loopback();
    ([(CONTENT_TYPE, "text/html; charset=utf-8")], shell(&server.title, needs_token))
        .into_response()
}

async fn look() -> Response {
    ([(CONTENT_TYPE, "text/css; charset=utf-8")], format!("{STYLE}{LOOK}")).into_response()
}

async fn script() -> Response {
    ([(CONTENT_TYPE, "text/javascript; charset=utf-8")], SCRIPT).into_response()
}

/// How things stand, and what changes from then on, as server-sent events. Who is slow gets the newest state and not what was between.
async fn events(State(server): State<Server>) -> Response {
    let mut views = watch::Receiver::clone(&server.views);
    views.mark_changed();
    let _ = server.changes.try_send(Change::Viewer);
    let stream = unfold((views, None), |(mut views, seen)| async move {
        let (chunk, seen) = match tokio::time::timeout(SIGN_OF_LIFE, views.changed()).await {
            Err(_) => (":\n\n".to_owned(), seen),
            Ok(Ok(())) => {
                let now = views.borrow_and_update();
                (now.since(seen), Some(now.version))
            }
            // Nothing more will come.
            Ok(Err(_)) => return None,
        };
        Some((Ok::<_, std::convert::Infallible>(Bytes::from(chunk)), (views, seen)))
    });
    ([(CONTENT_TYPE, "text/event-stream")], Body::from_stream(stream)).into_response()
}

/// Marks a bug as known or reported.
async fn marked(State(server): State<Server>, request: Request) -> Response {
    if request.headers().get(CONTENT_TYPE).is_none_or(|kind| kind != "application/json") {
        return (StatusCode::UNSUPPORTED_MEDIA_TYPE, "JSON is needed\n").into_response();
    }
    let Ok(body) = to_bytes(request.into_body(), LARGEST).await else {
        return (StatusCode::PAYLOAD_TOO_LARGE, "that is too long\n").into_response();
    };
    let work = move || {
        let _alone = server.marking.lock().unwrap_or_else(PoisonError::into_inner);
        let done = mark(&server.folder, &body);
        server.stale.store(true, Ordering::Relaxed);
        let _ = server.changes.try_send(Change::Folder);
        done
    };
    match tokio::task::spawn_blocking(work).await {
        Ok(Ok(())) => StatusCode::NO_CONTENT.into_response(),
        Ok(Err(e)) => (StatusCode::BAD_REQUEST, format!("{e:#}\n")).into_response(),
        Err(_) => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
    }
}
