//! One error type for everything that can be wrong with a text.

use std::fmt;
use std::ops::Range;

/// What is wrong, where, and what would have been right. Boxed: a result must stay small on the path without errors.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error(Box<ErrorInfo>);

/// The content of an [`Error`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ErrorInfo {
    /// One sentence, without the place.
    pub message: String,
    /// Byte range in the source.
    pub span: Range<usize>,
    /// What was expected at that place, if that helps.
    pub expected: Option<String>,
}

/// The result of reading a text.
pub type Result<T> = std::result::Result<T, Error>;

impl Error {
    /// An error at a byte range.
    #[cold]
    #[inline(never)]
    pub fn new(span: Range<usize>, message: impl Into<String>) -> Self {
        Self(Box::new(ErrorInfo { message: message.into(), span, expected: None }))
    }

    /// Adds to the error what was expected.
    #[must_use]
    pub fn expected(mut self, what: impl Into<String>) -> Self {
        self.0.expected = Some(what.into());
        self
    }

    /// Line and column (both from 1; columns count bytes) of the start of the error.
    pub fn line_column(&self, source: &[u8]) -> (usize, usize) {
        let at = self.span.start.min(source.len());
        let line = memchr::memchr_iter(b'\n', &source[..at]).count() + 1;
        let start = memchr::memrchr(b'\n', &source[..at]).map_or(0, |p| p + 1);
        (line, at - start + 1)
    }

    /// The error as people want to see it: place, excerpt, caret, expectation.
    ///
    /// Long lines are cut around the place, so this is cheap on any input.
    pub fn render(&self, source: &[u8], file: &str) -> String {
        self.render_as(&annotate_snippets::Level::ERROR, source, file)
    }

    /// The error as [`Self::render`] shows it, where it is a warning only.
    pub fn render_warning(&self, source: &[u8], file: &str) -> String {
        self.render_as(&annotate_snippets::Level::WARNING, source, file)
    }

    fn render_as(&self, level: &annotate_snippets::Level<'_>, source: &[u8], file: &str) -> String {
        use annotate_snippets::{AnnotationKind, Renderer, Snippet};
        const AROUND: usize = 60;
        let (line, column) = self.line_column(source);
        let at = self.span.start.min(source.len());
        let line_start = at - (column - 1);
        let line_end = memchr::memchr(b'\n', &source[at..]).map_or(source.len(), |p| at + p);
        let from = if at - line_start > AROUND { at - AROUND } else { line_start };
        let until = line_end.min(at + AROUND);
        // Control characters and broken UTF-8 become one `?` per byte, which keeps columns true.
        let excerpt: String = source[from..until]
            .iter()
            .map(|&b| if b.is_ascii_graphic() || b == b' ' { b as char } else { '?' })
            .collect();
        let mark = at - from..self.span.end.clamp(at + 1, until.max(at + 1)) - from;
        let mark = mark.start.min(excerpt.len())..mark.end.min(excerpt.len() + 1);
        let place = format!("{file}:{line}:{column}");
        let label = self.expected.as_deref().map(|e| format!("expected {e}")).unwrap_or_default();
        let snippet = Snippet::source(excerpt.as_str())
            .line_start(line)
            .annotation(AnnotationKind::Primary.span(mark).label(label.as_str()));
        let report = [level.clone().primary_title(self.message.as_str()).element(snippet)];
        format!("{place}: {}\n", Renderer::plain().render(&report))
    }
}

impl std::ops::Deref for Error {
    type Target = ErrorInfo;

    fn deref(&self) -> &ErrorInfo {
        &self.0
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} (at byte {})", self.message, self.span.start)?;
        match &self.expected {
            Some(e) => write!(f, "; expected {e}"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for Error {}
