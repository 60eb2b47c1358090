//! Leases, findings and facts over NATS JetStream.
