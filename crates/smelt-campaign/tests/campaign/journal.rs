//! What the journal knows of positions.

use smelt_campaign::journal::{Journal, LeaseLine};
use smelt_campaign::sequence::Left;

use crate::made_up::dir;

fn line(seq: u64) -> LeaseLine {
    let (seed, partners) = ("00".to_owned(), String::new());
    LeaseLine { seq, worker: 0, seed, strategy: "opfuzz", partners, steps: 3 }
}

#[test]
fn positions_that_are_left() {
    let dir = dir("left");
    let journal = Journal::open(&dir).unwrap();
    let (first, second) = (journal.begin_run("{}").unwrap(), journal.begin_run("{}").unwrap());
    assert_eq!(journal.left(first).unwrap(), Left::default());
    let left = Left { open: vec![0, 3, 4], next: 6 };
    journal.flush(first, (1.0, false), &[], &[line(1), line(2), line(5)], Some(&left)).unwrap();
    // A campaign whose positions somebody else gives knows its last one, as those of earlier smelts do.
    journal.flush(second, (1.0, false), &[], &[line(7), line(2)], None).unwrap();
    drop(journal);
    let again = Journal::open(&dir).unwrap();
    assert_eq!(again.left(first).unwrap(), left);
    assert_eq!(again.left(second).unwrap(), Left { open: Vec::new(), next: 8 });
    let later = Left { open: Vec::new(), next: 6 };
    again.flush(first, (2.0, true), &[], &[line(0), line(3), line(4)], Some(&later)).unwrap();
    assert_eq!(again.left(first).unwrap(), later);
    // A folder of an earlier smelt has no table of positions.
    let db = rusqlite::Connection::open(dir.join("smelt.db")).unwrap();
    db.execute("drop table positions", []).unwrap();
    assert_eq!(Journal::open(&dir).unwrap().left(first).unwrap(), later);
    db.execute("insert into positions values (?1, '3 x', 4)", [first]).unwrap();
    let why = Journal::open(&dir).unwrap().left(first).unwrap_err();
    assert_eq!(why.to_string(), "the journal is damaged: no list of positions");
}
