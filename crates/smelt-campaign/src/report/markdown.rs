//! Texts of solvers and scripts inside Markdown, so that nothing in them means anything to Markdown or HTML.

/// A block of code. Its fence is longer than any run of backticks in the text.
pub fn block(language: &str, text: &str) -> String {
    let fence = "`".repeat(longest_run(text).max(2) + 1);
    format!("{fence}{language}\n{}\n{fence}\n", text.trim_end())
}

/// Code within a line.
pub fn code(text: &str) -> String {
    let line = one_line(text);
    let fence = "`".repeat(longest_run(&line) + 1);
    // A blank keeps backticks at the ends apart from the fence, and is not shown.
    let pad = if line.starts_with('`') || line.ends_with('`') { " " } else { "" };
    format!("{fence}{pad}{line}{pad}{fence}")
}

/// Words on one line in which nothing means anything to Markdown or HTML.
pub fn words(text: &str) -> String {
    let special = |c: char| c.is_ascii_punctuation() && !",.:;()'\"-".contains(c);
    let escape = |c: char| match c {
        '<' => "&lt;".to_owned(),
        '&' => "&amp;".to_owned(),
        c if special(c) => format!("\\{c}"),
        c => c.to_string(),
    };
    one_line(text).chars().map(escape).collect()
}

fn longest_run(text: &str) -> usize {
    text.split(|c| c != '`').map(str::len).max().unwrap_or(0)
}

fn one_line(text: &str) -> String {
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    words.chars().filter(|c| !c.is_control()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_gets_out() {
        assert_eq!(block("smt2", "(check-sat)\n"), "```smt2\n(check-sat)\n```\n");
        assert_eq!(block("", "a ```` b"), "`````\na ```` b\n`````\n");
        assert_eq!(code("(= |</script>| x)"), "`(= |</script>| x)`");
        assert_eq!(code("`a"), "`` `a ``");
        assert_eq!(words("a <b> `c` | *d*\n# e"), "a &lt;b\\> \\`c\\` \\| \\*d\\* \\# e");
    }
}
