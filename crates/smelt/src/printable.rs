//! Text of strangers on a terminal: a script, a finding or a solver may hold what a terminal obeys.

use std::borrow::Cow;
use std::io::{Result, Write};

/// A text with control characters, and those that turn the direction of writing, in a form that can be read: `\u001b`.
/// Inside a JSON string that is an escape, so JSON stays JSON.
pub fn printable(text: &str) -> Cow<'_, str> {
    if !text.contains(obeyed) {
        return text.into();
    }
    let shown = |c: char| match obeyed(c) {
        true => format!("\\u{:04x}", u32::from(c)),
        false => c.to_string(),
    };
    text.chars().map(shown).collect::<String>().into()
}

/// Printable text in one line, for lists: a quoted symbol may hold line breaks.
pub fn in_one_line(text: &str) -> String {
    printable(text).replace('\n', "\\u000a")
}

/// A path as a shell reads it as one word.
pub fn quoted(path: &std::path::Path) -> String {
    let text = path.display().to_string();
    let plain = |c: char| c.is_alphanumeric() || "-_=./:@,+".contains(c);
    match !text.is_empty() && text.chars().all(plain) {
        true => text,
        false => format!("'{}'", text.replace('\'', "'\\''")),
    }
}

/// Whether a terminal does something else with a character than showing it.
fn obeyed(c: char) -> bool {
    let turns =
        matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{200e}' | '\u{200f}');
    (c.is_control() && !matches!(c, '\n' | '\t')) || turns
}

/// How an accusation looks on a terminal.
const ACCUSED: anstyle::Style = anstyle::AnsiColor::Red.on_default();

/// Standard output, with colour if it is a terminal and `NO_COLOR` does not forbid it.
pub type Coloured =
    Printable<std::io::BufWriter<anstream::AutoStream<std::io::StdoutLock<'static>>>>;

/// Standard output for text of strangers.
pub fn stdout() -> Coloured {
    Printable(std::io::BufWriter::new(anstream::AutoStream::auto(std::io::stdout().lock())))
}

impl<W: Write> Printable<W> {
    /// A line that accuses somebody.
    pub fn accuse(&mut self, line: &str) -> Result<()> {
        writeln!(self.0, "{ACCUSED}{}{ACCUSED:#}", in_one_line(line))
    }

    /// A line that is one whatever names of files and words of solvers are in it.
    pub fn line(&mut self, line: &str) -> Result<()> {
        writeln!(self.0, "{}", in_one_line(line))
    }
}

/// Writes [`printable`] text. Each piece that is written must be whole characters, as those of `write!` are.
pub struct Printable<W>(pub W);

impl<W: Write> Write for Printable<W> {
    fn write(&mut self, bytes: &[u8]) -> Result<usize> {
        self.0.write_all(printable(&String::from_utf8_lossy(bytes)).as_bytes())?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> Result<()> {
        self.0.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_terminal_would_obey() {
        let check = |text: &str, expect: &str| {
            let mut out = Printable(Vec::new());
            write!(out, "{text}").unwrap();
            assert_eq!(String::from_utf8(out.0).unwrap(), expect);
        };
        check("plain, grün\t|a b|\n", "plain, grün\t|a b|\n");
        check("\u{1b}[2J\r\u{7}", "\\u001b[2J\\u000d\\u0007");
        let json = serde_json::json!("\u{7f}\u{9b}\u{202e}\n").to_string();
        let read: String = serde_json::from_str(&printable(&json)).unwrap();
        assert_eq!(read, "\u{7f}\u{9b}\u{202e}\n");
        check("\u{9b}1m \u{202e}abc \0", "\\u009b1m \\u202eabc \\u0000");
        assert_eq!(
            in_one_line("the model leaves `a\n  stands` open\r"),
            "the model leaves `a\\u000a  stands` open\\u000d"
        );
    }
}
