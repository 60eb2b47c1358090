//! What is around the views: they come as events, and a script puts them in their places.

use smelt_page::{VIEWS, escape, head};

/// What a browser may load and do on the page: its own style and script, and its events.
pub const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// What the page does.
pub const SCRIPT: &str = include_str!("page.js");

/// How it looks, beside what all pages have.
pub const LOOK: &str = include_str!("page.css");

/// The page before the first event.
pub fn shell(title: &str, needs_token: bool) -> String {
    let assets =
        "<link rel=\"stylesheet\" href=\"/page.css\">\n<script src=\"/page.js\" defer></script>\n";
    let need = if needs_token { " data-token=\"needed\"" } else { "" };
    let mut s = head(title, assets);
    s += &format!(
        "<body{need}>\n<a class=\"skip\" href=\"#view:bugs\">To the bugs</a>\n<header>\n<h1>{}</h1>\n\
        <p id=\"view:state\" data-state=\"waiting\">Connecting …</p>\n<p id=\"view:news\" role=\"status\"></p>\n\
        <noscript><p>This page needs its script; <code>smelt report --html</code> writes one that does not.</p></noscript>\n</header>\n<main>\n",
        escape(title)
    );
    for name in VIEWS {
        s += &format!("<section id=\"{name}\" hidden></section>\n");
    }
    s + "</main>\n" + DIALOGS + "</body>\n</html>\n"
}

/// What people are asked for.
const DIALOGS: &str = "<dialog id=\"view:enter\" aria-labelledby=\"view:enter-title\"><form>
<h2 id=\"view:enter-title\">A token is needed</h2>
<p>Who started the campaign has it.</p>
<label>Token <input name=\"token\" type=\"password\" autocomplete=\"off\" required></label>
<p class=\"wrong\" role=\"alert\"></p>
<p class=\"buttons\"><button>Enter</button></p>
</form></dialog>
<dialog id=\"view:mark\" aria-labelledby=\"view:mark-title\"><form>
<h2 id=\"view:mark-title\">Mark a bug</h2>
<p><code class=\"bug\"></code></p>
<fieldset><legend>It is</legend>
<label><input type=\"radio\" name=\"as\" value=\"reported\" checked> reported</label>
<label><input type=\"radio\" name=\"as\" value=\"known\"> known</label></fieldset>
<label>Address <input name=\"url\" type=\"url\" placeholder=\"https://\" autocomplete=\"off\"></label>
<label>Token <input name=\"token\" type=\"password\" autocomplete=\"off\" required></label>
<p class=\"wrong\" role=\"alert\"></p>
<p class=\"buttons\"><button type=\"button\" class=\"cancel\">Cancel</button> <button>Mark</button></p>
</form></dialog>
";
