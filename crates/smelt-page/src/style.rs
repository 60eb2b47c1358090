//! How the page looks: light and dark as the reader's system is, and black on white on paper.

/// The style sheet.
pub const STYLE: &str = "
:root { color-scheme: light dark; --ink: #1d2329; --soft: #59636e; --paper: #ffffff; --card: #f6f8fa; --line: #d1d9e0;
  --bad: #cf222e; --good: #2da44e; --open: #afb8c1; --mark: #0969da; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6edf3; --soft: #9198a1; --paper: #0d1117; --card: #161b22; --line: #30363d;
  --bad: #f85149; --good: #3fb950; --open: #484f58; --mark: #4493f8; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 72rem; padding: 2rem 1.25rem 4rem; background: var(--paper); color: var(--ink);
  font: 16px/1.55 system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif; }
h1 { font-size: 1.7rem; margin: 0 0 .25rem; } h2 { font-size: 1.2rem; margin: 2.5rem 0 .75rem; }
p { margin: .5rem 0; } .soft { color: var(--soft); }
a { color: var(--mark); } a:focus-visible, summary:focus-visible, pre:focus-visible, .wide:focus-visible { outline: 3px solid var(--mark); outline-offset: 2px; }
.skip { position: absolute; left: -100rem; } .skip:focus { left: 1rem; top: 1rem; background: var(--paper); padding: .5rem; }
.figures { display: flex; flex-wrap: wrap; gap: .75rem; margin: 1.25rem 0; padding: 0; list-style: none; }
.figures li { background: var(--card); border: 1px solid var(--line); border-radius: 8px; padding: .6rem 1rem; min-width: 8rem; }
.figures b { display: block; font-size: 1.35rem; font-variant-numeric: tabular-nums; }
details { background: var(--card); border: 1px solid var(--line); border-radius: 8px; margin: .6rem 0; }
summary { cursor: pointer; padding: .6rem .9rem; border-radius: 8px; } details > div { padding: 0 .9rem .9rem; }
.word { font-size: .8rem; border: 1px solid var(--line); border-radius: 1rem; padding: .05rem .55rem; white-space: nowrap; }
.worst { border-color: var(--bad); background: var(--bad); color: var(--paper); font-weight: 600; } .bad { border-color: var(--bad); color: var(--bad); }
.status { background: var(--paper); } [data-status=known] > summary, [data-status=withdrawn] > summary { opacity: .65; }
pre { overflow-x: auto; background: var(--paper); border: 1px solid var(--line); border-radius: 6px; padding: .7rem .9rem; }
pre, code { font: 13.5px/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
.wide { overflow-x: auto; } table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { text-align: right; padding: .3rem .7rem; border-bottom: 1px solid var(--line); } th:first-child, td:first-child { text-align: left; }
thead th { color: var(--soft); font-weight: 600; }
svg text { fill: var(--soft); font: 12px system-ui, sans-serif; } svg { max-width: 100%; height: auto; display: block; } svg.strip { max-width: none; }
.shows { fill: var(--bad); } .gone { fill: var(--good); } .unknown { fill: var(--open); } .curve { fill: none; stroke: var(--mark); stroke-width: 2; }
.curve1 { stroke: var(--soft); stroke-dasharray: 5 4; } .axis { stroke: var(--line); } .key { display: inline-block; width: .8em; height: .8em; border-radius: 2px; margin: 0 .3em 0 .9em; }
.shade0 { fill: var(--card); } .shade1, .shade2, .shade3, .shade4, .shade5 { fill: var(--mark); } .shade1 { opacity: .2; } .shade2 { opacity: .4; } .shade3 { opacity: .6; } .shade4 { opacity: .8; }
tbody th { font-weight: 400; overflow-wrap: anywhere; min-width: 10rem; } .pairs { padding-left: 1.1rem; } .pairs li { margin: .5rem 0; }
strong, h1, .command, .proof, .pairs a { overflow-wrap: anywhere; } details:target { border-color: var(--mark); }
@media (max-width: 600px) { body { padding: 1rem .75rem 3rem; } h1 { font-size: 1.35rem; } .figures { gap: .5rem; } .figures li { flex: 1 1 40%; min-width: 0; padding: .5rem .7rem; }
  .figures b { font-size: 1.15rem; } .chart text { font-size: 23px; } summary { line-height: 1.9; } }
@media print { :root { --ink: #000; --soft: #333; --paper: #fff; --card: #fff; --line: #999; --bad: #b00; --good: #282; --open: #bbb; --mark: #036; }
  body { max-width: none; padding: 0; font-size: 11pt; } details { break-inside: avoid; } pre { white-space: pre-wrap; overflow-wrap: anywhere; }
  .skip { display: none; } * { -webkit-print-color-adjust: exact; print-color-adjust: exact; } }
";

/// Opens all bugs before the page is printed, as what is folded would not be on the paper; and the one that an address names.
pub const SCRIPT: &str = "addEventListener('beforeprint', () => document.querySelectorAll('details').forEach(d => { d.open = true; }));
const named = () => { const d = document.getElementById(decodeURIComponent(location.hash.slice(1))); if (d && d.tagName === 'DETAILS') { d.open = true; d.scrollIntoView(); } };
addEventListener('hashchange', named); addEventListener('DOMContentLoaded', named);";

/// What a browser knows the script by, if it may run no other; a test in a browser holds it.
pub const SCRIPT_DIGEST: &str = "sha256-N9Kr6L0xhrbMZDw8GdxiMshRLfRLJEb8srlFSkwddWo=";
