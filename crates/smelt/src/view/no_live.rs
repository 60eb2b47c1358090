//! In the place of the live page, in a smelt that was built without it.

use anyhow::{Result, bail};
use smelt_campaign::campaign::Campaign;
use smelt_campaign::event::{Event, Snapshot};

use crate::args::PageAt;

/// There is none.
pub enum Waiting {}

/// There is none.
pub enum Live {}

impl Waiting {
    /// Refuses, if a page is wanted.
    pub fn new(at: &PageAt) -> Result<Option<Self>> {
        match at.page {
            None => Ok(None),
            Some(_) => bail!(
                "this smelt was built without the live page: `cargo build --release --features live` builds one that has it"
            ),
        }
    }

    /// There is nothing to show.
    pub fn show(self, _: &Campaign) -> Result<Live> {
        match self {}
    }
}

impl Live {
    /// There is nobody to tell.
    pub fn feed(&self, _: &Event) {
        match *self {}
    }

    /// There is nobody to tell.
    pub fn end(self, _: &Snapshot) {
        match self {}
    }
}
