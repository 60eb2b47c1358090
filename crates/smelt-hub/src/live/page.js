'use strict';
// The views come from the server as HTML in which texts of scripts and solvers are harmless; this puts them in their places, and nothing else
// on the page changes. Who is busy with a view keeps it: what is open stays open, the focus stays, and what is selected is not replaced.

const at = name => document.getElementById(name);
const state = at('view:state'), news = at('view:news'), enter = at('view:enter'), mark = at('view:mark');
const needed = document.body.dataset.token === 'needed';
const title = document.title;
const waiting = new Map();
let token = sessionStorage.getItem('smelt-token') || '';
let seen = null;

function say(what, text) {
  if (state.dataset.state !== what || state.textContent !== text) {
    state.dataset.state = what;
    state.textContent = text;
  }
}

function keep(text) {
  token = text;
  if (text) sessionStorage.setItem('smelt-token', text);
  else sessionStorage.removeItem('smelt-token');
}

const FOCUS = 'summary, button, a, pre, .wide';

// Where the focus is in a view: in which bug, and the how-manieth thing there.
function focused(section) {
  const active = document.activeElement;
  if (!section.contains(active)) return null;
  const bug = active.closest('details');
  const place = [...(bug || section).querySelectorAll(FOCUS)].indexOf(active);
  return { bug: bug && bug.id, place };
}

function put({ name, html }) {
  const section = at(name);
  if (!section) return;
  const selection = getSelection();
  if (selection.type === 'Range' && section.contains(selection.anchorNode)) {
    waiting.set(name, html);
    return;
  }
  waiting.delete(name);
  const open = [...section.querySelectorAll('details[open]')].map(d => d.id);
  const scrolled = [...section.querySelectorAll('.wide')].map(e => e.scrollLeft);
  const focus = focused(section);
  section.innerHTML = html;
  section.hidden = html === '';
  const wide = section.querySelectorAll('.wide');
  scrolled.forEach((left, i) => { if (wide[i]) wide[i].scrollLeft = left; });
  for (const id of open) {
    const bug = at(id);
    if (bug) bug.open = true;
  }
  if (focus) {
    const around = focus.bug ? at(focus.bug) : section;
    const again = around && around.querySelectorAll(FOCUS)[focus.place];
    if (again) again.focus({ preventScroll: true });
  }
  if (name === 'view:bugs') tell(section);
}

// Says which bugs are new since the page was opened.
function tell(section) {
  const all = [...section.querySelectorAll('details')].map(d => d.id);
  const fresh = seen ? all.filter(id => !seen.has(id)) : [];
  if (fresh.length) news.textContent = `New: ${fresh.join(', ')}`;
  if (!seen) named();
  seen = new Set([...(seen || []), ...all]);
  document.title = all.length ? `(${all.length}) ${title}` : title;
}

// Opens the bug that the address names.
function named() {
  const bug = at(decodeURIComponent(location.hash.slice(1)));
  if (bug && bug.tagName === 'DETAILS') {
    bug.open = true;
    bug.scrollIntoView();
  }
}

function take(event) {
  const lines = event.split('\n');
  const of = name => lines.filter(l => l.startsWith(`${name}: `)).map(l => l.slice(name.length + 2)).join('\n');
  const kind = of('event');
  if (kind === 'view') put(JSON.parse(of('data')));
  if (kind === 'state') {
    const { ended } = JSON.parse(of('data'));
    say(ended ? 'ended' : 'running', ended ? 'The campaign has ended.' : 'Running');
    for (const [name, html] of waiting) put({ name, html });
  }
}

// Reads events until the connection ends. A request of its own can carry the token in a header, which an EventSource cannot.
async function read() {
  const ending = new AbortController();
  // The server says something every ten seconds.
  let silence = setTimeout(() => ending.abort(), 25000);
  try {
    const headers = token ? { Authorization: `Bearer ${token}` } : {};
    const answer = await fetch('/events', { headers, cache: 'no-store', signal: ending.signal });
    if (answer.status === 401) {
      keep('');
      return false;
    }
    if (!answer.ok) return true;
    const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
    let rest = '';
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return true;
      clearTimeout(silence);
      silence = setTimeout(() => ending.abort(), 25000);
      const events = (rest + value).split('\n\n');
      rest = events.pop();
      events.forEach(take);
    }
  } finally {
    clearTimeout(silence);
    ending.abort();
  }
}

// Asks for the token, until there is one.
function ask(wrong) {
  enter.querySelector('.wrong').textContent = wrong ? 'The token is wrong.' : '';
  enter.showModal();
  return new Promise(done => enter.addEventListener('close', () => done(), { once: true }));
}

async function follow() {
  let wrong = false;
  for (;;) {
    while (needed && !token) await ask(wrong);
    try {
      wrong = !await read();
    } catch {
      // The connection broke, or there is none.
    }
    if (state.dataset.state !== 'ended') say('lost', 'The connection is lost; trying again …');
    await new Promise(done => setTimeout(done, 1000));
  }
}

enter.querySelector('form').addEventListener('submit', event => {
  event.preventDefault();
  keep(event.target.token.value.trim());
  enter.close();
});

document.addEventListener('click', event => {
  const button = event.target.closest('button.mark');
  if (!button) return;
  mark.querySelector('.bug').textContent = button.dataset.bug;
  mark.querySelector('.wrong').textContent = '';
  mark.querySelector('form').token.value = token;
  mark.showModal();
});

mark.querySelector('.cancel').addEventListener('click', () => mark.close());

mark.querySelector('form').addEventListener('submit', async event => {
  event.preventDefault();
  const form = event.target, wrong = mark.querySelector('.wrong');
  const body = JSON.stringify({ bug: mark.querySelector('.bug').textContent, as: form.as.value, url: form.url.value.trim() });
  const headers = { Authorization: `Bearer ${form.token.value.trim()}`, 'Content-Type': 'application/json' };
  try {
    const answer = await fetch('/mark', { method: 'POST', headers, body });
    if (answer.ok) {
      keep(form.token.value.trim());
      form.url.value = '';
      mark.close();
    } else {
      wrong.textContent = await answer.text();
    }
  } catch {
    wrong.textContent = 'The connection is lost.';
  }
});

addEventListener('hashchange', named);
addEventListener('beforeprint', () => document.querySelectorAll('details').forEach(d => { d.open = true; }));
follow();
