//! Results as JUnit's XML, which continuous integration reads.

use std::fmt::Write;

/// Cases under one name.
pub struct Suite {
    name: String,
    cases: Vec<Case>,
}

/// One line of a report.
pub struct Case {
    class: String,
    name: String,
    seconds: f64,
    fate: Fate,
}

enum Fate {
    /// With what is to be said beside it.
    Passed(String),
    /// With a title and details.
    Failed(String, String),
    /// With the reason.
    Skipped(String),
    /// It could not be done to its end, with the reason.
    Broken(String),
}

impl Case {
    /// What was done, with a text for the log.
    pub fn passed(name: &str, seconds: f64, text: &str) -> Self {
        Self { class: name.into(), name: name.into(), seconds, fate: Fate::Passed(text.into()) }
    }

    /// What must be looked at.
    pub fn failed(class: &str, name: &str, title: &str, details: &str) -> Self {
        let fate = Fate::Failed(title.into(), details.into());
        Self { class: class.into(), name: name.into(), seconds: 0.0, fate }
    }

    /// What was not done, or is known from before.
    pub fn skipped(class: &str, name: &str, why: &str) -> Self {
        let fate = Fate::Skipped(why.into());
        Self { class: class.into(), name: name.into(), seconds: 0.0, fate }
    }

    /// What could not be done to its end.
    pub fn broken(name: &str, why: &str) -> Self {
        let fate = Fate::Broken(why.into());
        Self { class: name.into(), name: name.into(), seconds: 0.0, fate }
    }
}

impl Suite {
    /// A suite without cases.
    pub fn new(name: &str) -> Self {
        Self { name: name.into(), cases: Vec::new() }
    }

    /// One case more.
    pub fn add(&mut self, case: Case) {
        self.cases.push(case);
    }

    /// The text of the report.
    pub fn xml(&self) -> String {
        let count = |is: fn(&Fate) -> bool| self.cases.iter().filter(|c| is(&c.fate)).count();
        let failures = count(|f| matches!(f, Fate::Failed(..)));
        let skipped = count(|f| matches!(f, Fate::Skipped(_)));
        let errors = count(|f| matches!(f, Fate::Broken(_)));
        let seconds: f64 = self.cases.iter().map(|c| c.seconds).sum();
        let mut out = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
        let _ = writeln!(
            out,
            "<testsuites><testsuite name=\"{}\" tests=\"{}\" failures=\"{failures}\" errors=\"{errors}\" skipped=\"{skipped}\" time=\"{seconds:.3}\">",
            escaped(&self.name),
            self.cases.len()
        );
        for c in &self.cases {
            let (class, name) = (escaped(&c.class), escaped(&c.name));
            let _ = write!(
                out,
                "<testcase classname=\"{class}\" name=\"{name}\" time=\"{:.3}\">",
                c.seconds
            );
            let _ = match &c.fate {
                Fate::Passed(text) => write!(out, "<system-out>{}</system-out>", escaped(text)),
                Fate::Failed(title, details) => write!(
                    out,
                    "<failure message=\"{}\">{}</failure>",
                    escaped(title),
                    escaped(details)
                ),
                Fate::Skipped(why) => write!(out, "<skipped message=\"{}\"/>", escaped(why)),
                Fate::Broken(why) => write!(out, "<error message=\"{}\"/>", escaped(why)),
            };
            out.push_str("</testcase>\n");
        }
        out.push_str("</testsuite></testsuites>\n");
        out
    }
}

/// A text without what means something in XML, or is no character of it.
fn escaped(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\n' | '\t' => out.push(c),
            c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_suite() {
        let mut suite = Suite::new("it");
        suite.add(Case::passed("core", 1.5, "all <agree> & nothing\u{1b}"));
        suite.add(Case::failed("core", "id", "\"z3\": crash", "why"));
        suite.add(Case::skipped("ints", "ints", "no time"));
        suite.add(Case::broken("reals", "no disk"));
        let expect = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
            <testsuites><testsuite name=\"it\" tests=\"4\" failures=\"1\" errors=\"1\" skipped=\"1\" time=\"1.500\">\n\
            <testcase classname=\"core\" name=\"core\" time=\"1.500\"><system-out>all &lt;agree&gt; &amp; nothing\u{fffd}</system-out></testcase>\n\
            <testcase classname=\"core\" name=\"id\" time=\"0.000\"><failure message=\"&quot;z3&quot;: crash\">why</failure></testcase>\n\
            <testcase classname=\"ints\" name=\"ints\" time=\"0.000\"><skipped message=\"no time\"/></testcase>\n\
            <testcase classname=\"reals\" name=\"reals\" time=\"0.000\"><error message=\"no disk\"/></testcase>\n\
            </testsuite></testsuites>\n";
        assert_eq!(suite.xml(), expect);
    }
}
