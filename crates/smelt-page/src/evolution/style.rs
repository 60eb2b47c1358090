//! How the page of an evolution looks, and what it does under the pointer.

/// What the page adds to the style of all pages.
pub const PLOTS: &str = "
.plots { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(26rem, 100%), 1fr)); gap: .5rem 1rem; } .plot { width: 100%; }
svg .name { fill: var(--ink); font-weight: 600; } svg .place { font-size: 8.5px; } .grid { stroke: var(--line); stroke-width: .5; }
.line { fill: none; stroke-width: 1.6; } .dashed { stroke-dasharray: 4 3; } [data-script] { cursor: pointer; }
[data-script]:focus-visible { outline: 3px solid var(--mark); }
:root { --c0: #cf222e; --c1: #2da44e; --c2: #0969da; --c3: #9a6700; --c4: #8250df; --c5: #1b7c83; --c6: #bf3989; --c7: #57606a; }
@media (prefers-color-scheme: dark) { :root { --c0: #ff7b72; --c1: #56d364; --c2: #79c0ff; --c3: #e3b341; --c4: #d2a8ff; --c5: #76e3ea; --c6: #ff9bce; --c7: #8b949e; } }
@media print { :root { --c0: #b00; --c1: #282; --c2: #036; --c3: #850; --c4: #629; --c5: #166; --c6: #a27; --c7: #444; } .plots { grid-template-columns: 1fr 1fr; } .plot { break-inside: avoid; } dialog { display: none; } }
.line.c0 { stroke: var(--c0); } .line.c1 { stroke: var(--c1); } .line.c2 { stroke: var(--c2); } .line.c3 { stroke: var(--c3); } .line.c4 { stroke: var(--c4); } .line.c5 { stroke: var(--c5); } .line.c6 { stroke: var(--c6); } .line.c7 { stroke: var(--c7); }
.dot.c0 { fill: var(--c0); } .dot.c1 { fill: var(--c1); } .dot.c2 { fill: var(--c2); } .dot.c3 { fill: var(--c3); } .dot.c4 { fill: var(--c4); } .dot.c5 { fill: var(--c5); } .dot.c6 { fill: var(--c6); } .dot.c7 { fill: var(--c7); }
.legend { color: var(--soft); } .legend i { display: inline-block; width: 1.1em; height: .7em; margin: 0 .3em 0 .9em; border-radius: 2px; }
.matrix { font-size: .8rem; } .matrix td, .matrix th { padding: .1rem .35rem; } .matrix button { font: inherit; color: var(--mark); background: none; border: 0; padding: 0; cursor: pointer; }
.matrix thead span { writing-mode: vertical-rl; } .matrix .wrong { background: var(--bad); color: #fff; font-weight: 700; } .matrix .late { background: var(--open); }
.matrix .slow { box-shadow: inset 0 0 0 2px var(--c3); } .matrix .open { color: var(--soft); } .answer { font-size: 1.1rem; border-left: 4px solid var(--mark); padding: .4rem .9rem; background: var(--card); }
dialog { max-width: min(60rem, 92vw); border: 1px solid var(--line); border-radius: 8px; background: var(--paper); color: var(--ink); } dialog pre { max-height: 60vh; overflow: auto; }
td.text { text-align: left; } circle.dot { stroke: transparent; stroke-width: 8; }
.tip { position: fixed; z-index: 1; pointer-events: none; white-space: pre-line; max-width: min(26rem, 90vw); font-size: .85rem; padding: .2rem .55rem; border-radius: 4px; background: var(--ink); color: var(--paper); }
@media print { .tip { display: none; } }
";

/// Shows the values at the place under the pointer, or of what the keyboard has chosen, and the script of what is clicked. Without scripts, the
/// browser shows the title of a single value.
pub const CLICKS: &str = "const d = document.querySelector('dialog');
const show = e => { const t = e.target.closest('[data-script]'); if (!t) return;
  const s = document.getElementById('s' + t.dataset.script); d.querySelector('h2').textContent = s.dataset.name;
  d.querySelector('p').textContent = s.dataset.why; d.querySelector('pre').textContent = s.content.textContent; d.showModal(); };
addEventListener('click', show);
addEventListener('keydown', e => { if (e.key === 'Enter' && e.target.closest('svg [data-script]')) show(e); });
const tip = document.querySelector('.tip');
for (const t of document.querySelectorAll('.dot > title')) { t.parentNode.setAttribute('aria-label', t.textContent); t.remove(); }
const tell = e => { const at = e.target.closest('.dot'); tip.hidden = !at; if (!at) return;
  const x = at.getAttribute('cx'); const here = x ? [...at.ownerSVGElement.querySelectorAll(`circle[cx=\"${x}\"]`)] : [at];
  tip.textContent = [...new Set(here.map(d => d.getAttribute('aria-label')))].join('\\n');
  const box = at.getBoundingClientRect(), size = tip.getBoundingClientRect();
  tip.style.left = Math.max(4, Math.min(box.left + 12, innerWidth - size.width - 4)) + 'px';
  tip.style.top = (box.top > size.height + 12 ? box.top - size.height - 8 : box.bottom + 8) + 'px'; };
addEventListener('pointerover', tell); addEventListener('focusin', tell);
addEventListener('scroll', () => { tip.hidden = true; }, true);";
