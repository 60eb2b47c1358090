//! A connection to a server, for callers that wait: what is asynchronous stays behind it, in a runtime of its own.
//!
//! A connection that is lost is made again. What is asked meanwhile fails after some seconds, and whoever asked asks again: a message that
//! was sent and not acknowledged may be stored later, so each has an id, and what it leads to is done once however often it comes.

use std::path::PathBuf;
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use anyhow::{Context, Result, anyhow, bail};
use async_nats::jetstream;
use async_nats::jetstream::consumer::{AckPolicy, pull};
use async_nats::jetstream::message::PublishMessage;
use async_nats::jetstream::stream::{Config, DiscardPolicy, RetentionPolicy, StorageType};
use async_nats::{Client, ConnectOptions, Event};
use bytes::Bytes;
use futures_util::StreamExt;
use tokio::runtime::Runtime;

use super::names::{self, Names, Stream};
use super::queue::Queue;

/// How long an answer of the server is waited for.
pub(super) const PATIENCE: Duration = Duration::from_secs(5);
/// Messages of a subscription that nobody has taken yet; what comes then is dropped.
const INBOX: usize = 10_000;
/// Consumers of many: what a server allows by itself stops a thousand workers.
const MOST_WAITING: i64 = 5_000;
const MOST_PENDING: i64 = 20_000;

/// Who connects where.
#[derive(Clone, Debug, Default)]
pub struct Access {
    /// `nats://host:port`, or `tls://host:port`.
    pub url: String,
    /// User and password.
    pub user: Option<(String, String)>,
    /// A file of credentials, as servers of others give them.
    pub creds: Option<PathBuf>,
    /// A file of certificates that are trusted beside those of the machine.
    pub ca: Option<PathBuf>,
    /// Whether it is the hub.
    pub is_hub: bool,
}

/// A connection.
pub struct Link {
    pub(super) runtime: Runtime,
    client: Client,
    pub(super) js: jetstream::Context,
    trouble: Arc<Mutex<Option<String>>>,
}

impl Link {
    /// Connects. An error is one sentence.
    pub fn connect(access: &Access) -> Result<Self> {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .thread_name("smelt-hub")
            .enable_all()
            .build()
            .context("cannot start a thread for the connection")?;
        let trouble = Arc::new(Mutex::new(None));
        let client = runtime.block_on(async {
            let options = options(access, trouble.clone()).await?;
            let connected = options.connect(access.url.as_str());
            match tokio::time::timeout(PATIENCE * 2, connected).await {
                Ok(Ok(client)) => Ok(client),
                Ok(Err(e)) => Err(anyhow!("cannot connect to {}: {}", access.url, whole(&e))),
                Err(_) => Err(anyhow!("cannot connect to {}: nobody answers", access.url)),
            }
        })?;
        let mut js = {
            // It starts a task of its own.
            let _within = runtime.enter();
            jetstream::new(client.clone())
        };
        js.set_timeout(PATIENCE);
        Ok(Self { runtime, client, js, trouble })
    }

    /// The last word of the server on what is not allowed, or on the connection.
    pub fn trouble(&self) -> Option<String> {
        self.trouble.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    /// Whether the connection stands.
    pub fn is_up(&self) -> bool {
        self.client.connection_state() == async_nats::connection::State::Connected
    }

    /// The version of the server.
    pub fn server_version(&self) -> String {
        self.client.server_info().version
    }

    /// Makes the streams of a campaign, and who takes from them, as far as they are not there.
    ///
    /// A stream keeps so many bytes: whoever sends more waits until they are taken, and holds up nobody who sends something else.
    pub fn make(&self, names: &Names, silence: Duration, bytes: u64) -> Result<()> {
        self.runtime.block_on(async {
            for stream in Stream::ALL {
                let kept = stream == Stream::Plan;
                let config = Config {
                    name: names.stream(stream),
                    subjects: vec![names.subjects(stream)],
                    retention: if kept {
                        RetentionPolicy::Limits
                    } else {
                        RetentionPolicy::WorkQueue
                    },
                    max_messages_per_subject: if kept { 1 } else { -1 },
                    max_bytes: bytes as i64,
                    max_messages: -1,
                    // What is full refuses: whoever sends keeps what they have.
                    discard: if kept { DiscardPolicy::Old } else { DiscardPolicy::New },
                    storage: StorageType::File,
                    num_replicas: 1,
                    duplicate_window: Duration::from_secs(600),
                    deny_delete: kept,
                    ..Config::default()
                };
                let stream = self.js.get_or_create_stream(config).await;
                let stream = stream.map_err(|e| anyhow!("cannot make a stream: {}", whole(&e)))?;
                if kept {
                    continue;
                }
                let leases =
                    names.subjects(Stream::Leases) == stream.cached_info().config.subjects[0];
                let (name, ack_wait) = match leases {
                    true => (names::WORKERS, silence),
                    // What a killed hub had taken waits so long for the next one.
                    false => (names::HUB, Duration::from_secs(10)),
                };
                let consumer = pull::Config {
                    durable_name: Some(name.to_owned()),
                    ack_policy: AckPolicy::Explicit,
                    ack_wait,
                    max_deliver: -1,
                    max_ack_pending: MOST_PENDING,
                    max_waiting: MOST_WAITING,
                    ..pull::Config::default()
                };
                let made = stream.get_or_create_consumer(name, consumer).await;
                made.map_err(|e| anyhow!("cannot make a consumer: {}", whole(&e)))?;
            }
            Ok(())
        })
    }

    /// How many messages a stream has: those that nobody has taken, and those that are not done.
    pub fn messages(&self, names: &Names, stream: Stream) -> Result<u64> {
        let name = names.stream(stream);
        self.runtime.block_on(async {
            let stream = self.js.get_stream(name).await.map_err(|e| anyhow!(whole(&e)))?;
            Ok(stream.cached_info().state.messages)
        })
    }

    /// Empties a stream.
    pub fn empty(&self, names: &Names, stream: Stream) -> Result<()> {
        let name = names.stream(stream);
        self.runtime.block_on(async {
            let stream = self.js.get_stream(name).await.map_err(|e| anyhow!(whole(&e)))?;
            stream.purge().await.map_err(|e| anyhow!(whole(&e)))?;
            Ok(())
        })
    }

    /// Sends something to whoever listens.
    pub fn send(&self, subject: String, payload: Vec<u8>) -> Result<()> {
        self.runtime.block_on(async {
            let sent = self.client.publish(subject, payload.into());
            tokio::time::timeout(PATIENCE, sent).await.context("nobody takes it")??;
            Ok(())
        })
    }

    /// Stores something, once for its id; it is there when this comes back.
    pub fn store(&self, subject: String, id: &str, payload: Vec<u8>) -> Result<()> {
        self.runtime.block_on(async {
            let message = PublishMessage::build().message_id(id).payload(payload.into());
            let ack =
                self.js.send_publish(subject, message).await.map_err(|e| anyhow!(whole(&e)))?;
            ack.await.map_err(|e| anyhow!(whole(&e)))?;
            Ok(())
        })
    }

    /// The last message of a subject of the stream that keeps them.
    pub fn last(&self, names: &Names, subject: &str) -> Result<Bytes> {
        let name = names.stream(Stream::Plan);
        self.runtime.block_on(async {
            let stream = self.js.get_stream_no_info(name).await.map_err(|e| anyhow!(whole(&e)))?;
            let message = stream.get_last_raw_message_by_subject(subject).await;
            Ok(message.map_err(|e| anyhow!(whole(&e)))?.payload)
        })
    }

    /// What is sent to a subject from now on.
    pub fn listen(&self, subject: String) -> Result<Receiver<(String, Bytes)>> {
        let (put, take) = sync_channel(INBOX);
        let mut messages = self.runtime.block_on(self.client.subscribe(subject))?;
        self.runtime.spawn(async move {
            while let Some(m) = messages.next().await {
                if !forward(&put, (m.subject.to_string(), m.payload)) {
                    return;
                }
            }
        });
        Ok(take)
    }

    /// A queue that things are taken from.
    pub fn queue(&self, names: &Names, stream: Stream) -> Queue<'_> {
        let consumer = if stream == Stream::Leases { names::WORKERS } else { names::HUB };
        Queue::new(self, names.stream(stream), consumer)
    }

    /// Sends what is not sent yet.
    pub fn close(&self) {
        let flush = async { tokio::time::timeout(PATIENCE, self.client.flush()).await };
        let _ = self.runtime.block_on(flush);
    }
}

/// Hands on a message; false if nobody will ever take one.
fn forward<T>(put: &SyncSender<T>, message: T) -> bool {
    !matches!(put.try_send(message), Err(TrySendError::Disconnected(_)))
}

async fn options(access: &Access, trouble: Arc<Mutex<Option<String>>>) -> Result<ConnectOptions> {
    let inbox = if access.is_hub { names::HUB_INBOX } else { names::WORKER_INBOX };
    let mut options = ConnectOptions::new()
        .custom_inbox_prefix(inbox)
        .name(if access.is_hub { "smelt hub" } else { "smelt work" })
        .request_timeout(Some(PATIENCE))
        .connection_timeout(PATIENCE)
        .reconnect_delay_callback(|tries| Duration::from_millis((50 << tries.min(6)).min(2000)))
        .event_callback(move |event| {
            let trouble = trouble.clone();
            async move {
                // What is not allowed shows as a time-out, and the reason only here.
                if let Event::ServerError(e) = event {
                    *trouble.lock().unwrap_or_else(PoisonError::into_inner) = Some(e.to_string());
                }
            }
        });
    if let Some((user, password)) = &access.user {
        options = options.user_and_password(user.clone(), password.clone());
    }
    if let Some(creds) = &access.creds {
        let read = options.credentials_file(creds).await;
        options = read.with_context(|| format!("cannot read {}", creds.display()))?;
    }
    if let Some(ca) = &access.ca {
        if !ca.is_file() {
            bail!("{} does not exist", ca.display());
        }
        options = options.add_root_certificates(ca.clone()).require_tls(true);
    }
    Ok(options)
}

/// An error with what is behind it, in a line.
pub(super) fn whole(e: &dyn std::error::Error) -> String {
    let mut text = e.to_string();
    let mut source = e.source();
    while let Some(e) = source {
        let next = e.to_string();
        if !text.contains(&next) {
            text += &format!(": {next}");
        }
        source = e.source();
    }
    text
}
