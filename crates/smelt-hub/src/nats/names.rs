//! What streams and subjects of a campaign are called, and which names of strangers are names at all.

/// The names of a campaign on a server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Names {
    campaign: String,
}

/// A stream of a campaign.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stream {
    /// What the campaign is: the plan, its seeds, how it stands. Each subject has its last message only.
    Plan,
    /// Blocks of positions, until they are done.
    Leases,
    /// What was made of positions, until the hub has it.
    Results,
    /// Pieces of findings, until the hub has them.
    Findings,
}

impl Stream {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Plan, Self::Leases, Self::Results, Self::Findings];
}

impl Names {
    /// The names of the campaign with this key; `None` if that is no key.
    pub fn of(campaign: &str) -> Option<Self> {
        is_key(campaign).then(|| Self { campaign: campaign.to_owned() })
    }

    /// The key of the campaign.
    pub fn campaign(&self) -> &str {
        &self.campaign
    }

    /// A stream.
    pub fn stream(&self, stream: Stream) -> String {
        let word = match stream {
            Stream::Plan => "PLAN",
            Stream::Leases => "LEASES",
            Stream::Results => "RESULTS",
            Stream::Findings => "FINDINGS",
        };
        format!("SMELT_{}_{word}", self.campaign)
    }

    /// The subjects of a stream.
    pub fn subjects(&self, stream: Stream) -> String {
        let word = match stream {
            Stream::Plan => "plan.>",
            Stream::Leases => "lease",
            Stream::Results => "done.*",
            Stream::Findings => "finding.>",
        };
        format!("smelt.{}.{word}", self.campaign)
    }

    /// Where the plan is.
    pub fn plan(&self) -> String {
        format!("smelt.{}.plan.campaign", self.campaign)
    }

    /// Where a seed is.
    pub fn seed(&self, number: usize) -> String {
        format!("smelt.{}.plan.seed.{number}", self.campaign)
    }

    /// Where the hub says how the campaign stands.
    pub fn total(&self) -> String {
        format!("smelt.{}.plan.total", self.campaign)
    }

    /// Where blocks of positions are.
    pub fn lease(&self) -> String {
        self.subjects(Stream::Leases)
    }

    /// Where a worker says what it made of positions.
    pub fn done(&self, worker: &str) -> String {
        format!("smelt.{}.done.{worker}", self.campaign)
    }

    /// Where a worker puts a piece of a finding.
    pub fn finding(&self, worker: &str, digest: &str, piece: usize, pieces: usize) -> String {
        format!("smelt.{}.finding.{worker}.{digest}.{piece}.{pieces}", self.campaign)
    }

    /// Where workers say how they stand; nobody keeps that.
    pub fn status(&self, worker: &str) -> String {
        format!("smelt.{}.status.{worker}", self.campaign)
    }

    /// What all workers say of themselves.
    pub fn all_status(&self) -> String {
        self.status("*")
    }

    /// What a worker may do on a server: publish and subscribe.
    pub fn worker_may(&self) -> (Vec<String>, Vec<String>) {
        let (plan, leases) = (self.stream(Stream::Plan), self.stream(Stream::Leases));
        let publish = vec![
            self.subjects(Stream::Results),
            self.subjects(Stream::Findings),
            self.all_status(),
            format!("$JS.API.STREAM.MSG.GET.{plan}"),
            format!("$JS.API.CONSUMER.INFO.{leases}.{WORKERS}"),
            format!("$JS.API.CONSUMER.MSG.NEXT.{leases}.{WORKERS}"),
            format!("$JS.ACK.{leases}.{WORKERS}.>"),
        ];
        (publish, vec![format!("{WORKER_INBOX}.>"), self.total()])
    }
}

/// The consumer that workers take leases from.
pub const WORKERS: &str = "workers";
/// The consumer by which the hub takes what workers send.
pub const HUB: &str = "hub";
/// Answers to workers; the hub's go elsewhere.
pub const WORKER_INBOX: &str = "_INBOX_worker";
/// Answers to the hub.
pub const HUB_INBOX: &str = "_INBOX_hub";

/// Whether a text is the key of a campaign or a worker: sixteen digits of a hexadecimal number.
pub fn is_key(text: &str) -> bool {
    text.len() == 16 && text.bytes().all(|b| b.is_ascii_digit() || (b'a'..=b'f').contains(&b))
}

/// Whether a text is the digest of a finding.
pub fn is_digest(text: &str) -> bool {
    text.len() == 32 && text.bytes().all(|b| b.is_ascii_digit() || (b'a'..=b'f').contains(&b))
}

/// Which piece of which finding a message is: digest, number, how many there are.
pub fn piece_of(subject: &str, most: usize) -> Option<(String, usize, usize)> {
    let mut words = subject.split('.').skip(2);
    let (kind, worker, digest) = (words.next()?, words.next()?, words.next()?);
    let (piece, pieces) = (words.next()?.parse().ok()?, words.next()?.parse().ok()?);
    let whole = kind == "finding" && is_key(worker) && is_digest(digest) && words.next().is_none();
    (whole && piece < pieces && pieces <= most).then(|| (digest.to_owned(), piece, pieces))
}

/// The worker that a message is from.
pub fn worker_of(subject: &str) -> Option<&str> {
    subject.split('.').nth(3).filter(|w| is_key(w))
}

#[cfg(test)]
mod tests {
    use super::*;

    const KEY: &str = "0123456789abcdef";

    #[test]
    fn names_of_strangers() {
        for (text, expect) in [
            (KEY, true),
            ("0123456789abcde", false),
            ("0123456789ABCDEF", false),
            ("../../../etc/pas", false),
            ("0123456789abcd.*", false),
            ("", false),
        ] {
            assert_eq!(is_key(text), expect, "{text}");
        }
        let names = Names::of(KEY).unwrap();
        let digest = "0".repeat(32);
        let of = |subject: &str| piece_of(subject, 8);
        assert_eq!(of(&names.finding(KEY, &digest, 2, 3)), Some((digest.clone(), 2, 3)));
        for (worker, digest, piece, pieces) in [
            ("..", &*digest, 0, 1),
            (KEY, "../../x", 0, 1),
            (KEY, &*digest, 1, 1),
            (KEY, &*digest, 0, 9),
            (KEY, &*digest.to_uppercase().replace('0', "A"), 0, 1),
        ] {
            assert_eq!(of(&names.finding(worker, digest, piece, pieces)), None);
        }
        assert_eq!(worker_of(&names.done(KEY)), Some(KEY));
        assert_eq!(worker_of("smelt.x.done.>"), None);
    }
}
