//! What comes over the network may come from anybody.

use std::path::Path;

use smelt_hub::nats::{Access, Joined, Link, Names};

use crate::nodes::{Net, alone, servers};

/// Connects as a worker does.
fn link(url: &str) -> Link {
    Link::connect(&Access { url: url.to_owned(), ..Access::default() }).unwrap()
}

/// Garbage, lies and what is too large change nothing; a worker may not make or empty streams.
#[test]
fn garbage_changes_nothing() {
    for (version, server) in servers() {
        let net = Net::new(&format!("garbage-{version}"));
        let whole = alone();
        let mut hub = net.hub(&server, false);
        let names = Names::of(&hub.campaign).unwrap();
        let stranger = link(&hub.url);
        let me = "00000000deadbeef";
        let digest = "0".repeat(32);
        let lie = "{\"all\":[{\"seq\":0,\"line\":{\"strategy\":\"../x\",\"seed\":\"\",\"partners\":\"\",\"steps\":1},\"tally\":{}},\
             {\"seq\":1,\"line\":null,\"tally\":{\"total\":{\"solver-cpu\":1e300}}},{\"seq\":99,\"line\":null,\"tally\":{}}]}";
        for (subject, payload) in [
            (names.done(me), b"garbage".to_vec()),
            (names.done(me), lie.as_bytes().to_vec()),
            (names.finding(me, &digest, 0, 1), b"{\"finding\":{}}".to_vec()),
            (names.finding(me, &digest, 0, 9999), b"x".to_vec()),
            (names.finding(me, &digest, 3, 4), vec![b'['; 900_000]),
        ] {
            // Under load an answer may be late; what is stored twice has one id.
            let stored =
                (0..5).any(|_| stranger.store(subject.clone(), &subject, payload.clone()).is_ok());
            assert!(stored, "{subject}");
        }
        assert!(stranger.store(names.done(me), "large", vec![b'x'; 2_000_000]).is_err());
        // Neither a plan of its own, nor a stream.
        assert!(stranger.store(names.plan(), "plan", b"{}".to_vec()).is_err());
        assert!(stranger.make(&names, std::time::Duration::from_secs(1), 1 << 20).is_err());
        let mut worker = net.worker(&hub, 0);
        let said = hub.wait();
        worker.wait();
        assert!(said.contains("does not count"), "{said}");
        assert_eq!(net.ledger(), whole.positions, "{version}: {said}");
        assert_eq!(net.findings(), whole.findings, "{version}: {said}");
    }
}

/// A campaign that is not there, a server that is not there, solvers that are not there: a sentence each.
#[test]
fn what_cannot_be_joined() {
    let Some((_, server)) = servers().into_iter().next() else { return };
    let net = Net::new("joining");
    let mut hub = net.hub(&server, false);
    let join = |url: &str, campaign: &str| {
        let access = Access { url: url.to_owned(), ..Access::default() };
        Joined::join(&access, Names::of(campaign).unwrap())
    };
    let said = format!("{:#}", join(&hub.url, "0123456789abcdef").err().unwrap());
    assert!(said.contains("there is no campaign 0123456789abcdef"), "{said}");
    let said = format!("{:#}", join("nats://127.0.0.1:1", &hub.campaign).err().unwrap());
    assert!(said.contains("cannot connect to nats://127.0.0.1:1"), "{said}");
    let wrong = Access {
        url: hub.url.clone(),
        user: Some(("hub".to_owned(), "guessed".to_owned())),
        ..Access::default()
    };
    let said = format!("{:#}", Link::connect(&wrong).err().unwrap());
    assert!(said.contains("authorization violation"), "{said}");
    let joined = join(&hub.url, &hub.campaign).unwrap();
    let registry = smelt_solver::testing::registry();
    let said = format!("{:#}", joined.solvers(&registry, &[], false).unwrap_err());
    assert!(said.contains("give yours by --solver"), "{said}");
    let other = ["z3=/bin/true".to_owned()];
    let said = format!("{:#}", joined.solvers(&registry, &other, true).unwrap_err());
    assert!(said.contains("another program here"), "{said}");
    assert!(!Path::new("worker").exists());
    hub.kill();
    assert!(net.processes().is_empty(), "{:?}", net.processes());
}
