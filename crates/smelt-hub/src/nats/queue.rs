//! What is taken from a stream: a message is whose holder it is until that acknowledges it, gives it back, or is silent for too long.

use std::sync::OnceLock;
use std::time::Duration;

use anyhow::{Result, anyhow};
use async_nats::jetstream::consumer::PullConsumer;
use async_nats::jetstream::{AckKind, Message};
use futures_util::StreamExt;

use super::link::{Link, PATIENCE, whole};

/// Longest wait for a message: a pull that is pending while the server is started again is silent for so long.
const LONGEST: Duration = Duration::from_secs(4);

/// A queue.
pub struct Queue<'l> {
    link: &'l Link,
    stream: String,
    consumer: &'static str,
    known: OnceLock<PullConsumer>,
}

impl<'l> Queue<'l> {
    pub(super) fn new(link: &'l Link, stream: String, consumer: &'static str) -> Self {
        Self { link, stream, consumer, known: OnceLock::new() }
    }

    /// Takes up to so many messages; fewer, or none, after this time.
    pub fn take(&self, most: usize, wait: Duration) -> Result<Vec<Delivery<'l>>> {
        let link = self.link;
        link.runtime.block_on(async {
            let consumer = match self.known.get() {
                Some(known) => known,
                None => {
                    let found = link.js.get_consumer_from_stream(self.consumer, &self.stream).await;
                    let found = found.map_err(|e| anyhow!(whole(&e)))?;
                    self.known.get_or_init(|| found)
                }
            };
            let wait = wait.min(LONGEST);
            let batch = consumer.batch().max_messages(most).expires(wait).messages();
            let mut batch = batch.await.map_err(|e| anyhow!(whole(&e)))?;
            let mut taken = Vec::new();
            let all = async {
                while let Some(message) = batch.next().await {
                    // What was lost on the way is delivered again.
                    let Ok(message) = message else { break };
                    taken.push(Delivery { link, message });
                }
            };
            // A server that is gone answers nobody.
            let _ = tokio::time::timeout(wait + Duration::from_secs(1), all).await;
            Ok(taken)
        })
    }
}

/// A message that was taken.
pub struct Delivery<'l> {
    link: &'l Link,
    message: Message,
}

impl Delivery<'_> {
    /// What is in it.
    pub fn payload(&self) -> &[u8] {
        &self.message.payload
    }

    /// Its subject.
    pub fn subject(&self) -> &str {
        &self.message.subject
    }

    /// It is done: when this comes back, nobody gets it any more.
    pub fn done(&self) -> Result<()> {
        let ack = async { tokio::time::timeout(PATIENCE, self.message.double_ack()).await };
        self.link.runtime.block_on(ack)?.map_err(|e| anyhow!("{e}"))
    }

    /// Its holder is at it still.
    pub fn go_on(&self) {
        self.tell(AckKind::Progress);
    }

    /// Somebody else may take it, now.
    pub fn give_back(&self) {
        self.tell(AckKind::Nak(None));
    }

    /// Nobody can make anything of it.
    pub fn drop_it(&self) {
        self.tell(AckKind::Term);
    }

    /// What is lost of these words is made good by time.
    fn tell(&self, kind: AckKind) {
        let told = async { tokio::time::timeout(PATIENCE, self.message.ack_with(kind)).await };
        let _ = self.link.runtime.block_on(told);
    }
}
