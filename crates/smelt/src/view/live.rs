//! The live page of a campaign: it takes its port at once, and is shown when it is known what the campaign is.

use std::net::TcpListener;

use anyhow::Result;
use smelt_campaign::campaign::Campaign;
use smelt_hub::live::{Show, Token, address, listen, serve};

use crate::args::PageAt;
use crate::view::page::title;
use crate::voice;

pub use smelt_hub::live::Handle as Live;

/// A page that has its port, and waits for its campaign.
pub struct Waiting {
    listener: TcpListener,
    token: Option<Token>,
}

impl Waiting {
    /// Takes the port, if a page is wanted. The error is one sentence.
    pub fn new(at: &PageAt) -> Result<Option<Self>> {
        let Some(text) = &at.page else { return Ok(None) };
        let token = at.page_token.as_deref().map(Token::read).transpose()?;
        let listener = listen(address(text, token.is_some())?)?;
        Ok(Some(Self { listener, token }))
    }

    /// Shows a campaign from now on, and says where.
    pub fn show(self, campaign: &Campaign) -> Result<Live> {
        let solvers = campaign.plan.panel.targets().iter().map(|t| t.label.clone());
        let show = Show {
            folder: campaign.folder.path.clone(),
            title: title(&campaign.folder.path),
            solvers: solvers.collect(),
            samples: campaign.samples()?,
        };
        let told = self.token.is_some();
        let page = serve(self.listener, self.token.unwrap_or_else(Token::random), show)?;
        let how = match told {
            true => String::new(),
            false => format!("; the token to mark bugs there: {}", page.token().text()),
        };
        voice::remark(&format!("page: {}{how}", page.url()));
        Ok(page)
    }
}
