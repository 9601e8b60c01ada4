// Embeds the chat of one app in a page: see docs/guides/embedding.md. The build wraps this script in a function,
// so that it has no globals.
const script = document.currentScript;
const { app = '', target, label } = script?.dataset ?? {};
const origin = new URL(script?.src ?? location.href).origin;
const isGerman = document.documentElement.lang.startsWith('de');
const name = label ?? 'Chat';
const loading = isGerman ? 'Wird geladen …' : 'Loading…';
const refusal = isGerman
  ? 'Der Chat kann auf dieser Seite nicht angezeigt werden.'
  : 'The chat cannot be shown on this page.';
/** Maximum time from the load of the frame until its chat reports that it is ready, in ms. */
const patience = 8000;

const style = `
    :host { all: initial; font: 15px/1.4 system-ui, sans-serif; color-scheme: light dark }
    [hidden] { display: none !important }
    button { position: fixed; right: 20px; bottom: 20px; z-index: 2147483000; width: 56px; height: 56px;
      padding: 0; border: 0; border-radius: 50%; background: #125b62; color: #fff; cursor: pointer;
      box-shadow: 0 4px 16px rgb(0 0 0 / 25%) }
    button:focus-visible { outline: 3px solid #f4b650; outline-offset: 2px }
    svg { width: 26px; height: 26px; vertical-align: middle }
    div { position: relative; height: 100%; min-height: 480px; overflow: hidden; border: 1px solid #8884;
      border-radius: 12px; background: Canvas; color: CanvasText }
    div[role] { position: fixed; right: 20px; bottom: 88px; z-index: 2147483001; box-sizing: border-box;
      width: 400px; height: min(640px, 100dvh - 108px); box-shadow: 0 8px 32px rgb(0 0 0 / 25%) }
    p { position: absolute; inset: 0; display: grid; place-content: center; margin: 0; padding: 24px;
      text-align: center }
    iframe { position: absolute; inset: 0; width: 100%; height: 100%; border: 0; visibility: hidden }
    iframe.ready { visibility: visible }
    @media (max-width: 480px) { div[role] { inset: 0; width: auto; height: auto; border: 0;
      border-radius: 0 } }`;

function begin() {
  const place = target === undefined ? document.body : document.querySelector(target);
  if (!script || !app || !place) {
    report(app ? `there is no element "${target}".` : 'the script element has no data-app.');
    return;
  }
  const host = document.createElement('knowhow-chat');
  const root = host.attachShadow({ mode: 'open' });
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(style);
  root.adoptedStyleSheets = [sheet];
  const note = element('p', { role: 'status' });
  note.textContent = loading;
  const frame = element('iframe', { title: name, allow: 'clipboard-write' });
  const panel = element('div', {});
  panel.append(note, frame);
  root.append(panel);
  const canClose = target === undefined;
  const opened = () => {
    if (!frame.className || panel.hidden) {
      return;
    }
    // Do not steal the focus if the user has moved it meanwhile.
    if (canClose && document.activeElement === host) {
      frame.focus();
    }
    frame.contentWindow.postMessage({ knowhow: 'opened', canClose }, origin);
  };
  const open = () => {
    panel.hidden = false;
    if (!frame.src) {
      frame.src = `${origin}/embed/${encodeURIComponent(app)}`;
      frame.onload = () => setTimeout(() => frame.className || refuse(note), patience);
    }
    opened();
  };
  const close = canClose ? withButton(root, { panel, open }) : () => undefined;
  addEventListener('message', ({ source, origin: from, data }) => {
    if (source !== frame.contentWindow || from !== origin) {
      return;
    }
    if (data?.knowhow === 'ready') {
      frame.className = 'ready';
      note.hidden = true;
      opened();
    } else if (data?.knowhow === 'close') {
      close();
    }
  });
  place.append(host);
  if (!canClose) {
    host.style.cssText = 'display: block; height: 100%';
    open();
  }
}

/** Returns a function that closes the chat. */
function withButton(root, { panel, open }) {
  const button = element('button', { type: 'button', 'aria-label': name });
  const svg = element('svg', { viewBox: '0 0 24 24', 'aria-hidden': 'true' });
  const d = 'M4 3h16a2 2 0 0 1 2 2v11a2 2 0 0 1-2 2H9l-5 4v-4a2 2 0 0 1-2-2V5a2 2 0 0 1 2-2z';
  svg.append(element('path', { fill: 'currentColor', d }));
  button.append(svg);
  root.append(button);
  panel.setAttribute('role', 'dialog');
  panel.setAttribute('aria-label', name);
  panel.hidden = true;
  const mark = () => button.setAttribute('aria-expanded', String(!panel.hidden));
  mark();
  const close = () => {
    panel.hidden = true;
    mark();
    button.focus();
  };
  button.addEventListener('click', () => {
    if (!panel.hidden) {
      close();
      return;
    }
    open();
    mark();
  });
  root.addEventListener('keydown', ({ key }) => key === 'Escape' && !panel.hidden && close());
  return close;
}

function element(tag, attributes) {
  const isSvg = tag === 'svg' || tag === 'path';
  const space = isSvg ? 'http://www.w3.org/2000/svg' : 'http://www.w3.org/1999/xhtml';
  const made = document.createElementNS(space, tag);
  for (const [key, value] of Object.entries(attributes)) {
    made.setAttribute(key, value);
  }
  return made;
}

/** Reports an error to the author of the page, in the console. */
function report(text) {
  // biome-ignore lint/suspicious/noConsole: see above
  console.error(`Knowhow: ${text}`);
}

function refuse(note) {
  note.textContent = refusal;
  report(
    `"${origin}" does not let this page show the app "${app}". An administrator of Knowhow adds ` +
      `"${location.origin}" to the origins of the app, if it is on. A Content-Security-Policy of this ` +
      `page needs "frame-src ${origin}".`,
  );
}

if (document.readyState === 'loading') {
  addEventListener('DOMContentLoaded', begin);
} else {
  begin();
}
