import type { PageRequest } from './run-flow.ts';

/** Characters of a page in which a selector is looked for: it takes its time on this thread. */
const mostSelected = 300_000;

/** Reads a page for a flow: its text, its HTML, or the HTML of what a selector finds. */
export async function readWebPage(
  { url, as, selector }: PageRequest,
  { fetch, signal }: { fetch: typeof globalThis.fetch; signal: AbortSignal },
): Promise<string> {
  const response = await fetch(url, { signal, headers: { accept: 'text/html, text/plain;q=0.9' } });
  const text = await response.text();
  if (!response.ok) {
    throw new Error(`the server answered ${response.status}.`);
  }
  if (selector !== undefined) {
    return selectIn(text, selector);
  }
  const isPage = /html/i.test(response.headers.get('content-type') ?? 'text/html');
  return as === 'html' || !isPage ? text : textOfHtml(text);
}

async function selectIn(html: string, selector: string): Promise<string> {
  if (html.length > mostSelected) {
    throw new Error('the page is too long to look for a selector in it.');
  }
  const { parseHTML } = await import('linkedom');
  const found = parseHTML(html).document.querySelectorAll(selector);
  return [...found].map((element) => element.innerHTML).join('\n');
}

const entities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
};

/** What people read of a page, without its scripts and styles. */
function textOfHtml(html: string): string {
  return withoutElements(html, ['script', 'style', 'noscript', 'template', 'svg', 'head', 'title'])
    .replace(/<!--[\s\S]*?(?:-->|$)/g, '')
    .replace(/<\/(?:p|div|li|tr|h[1-6]|section|article|ul|ol|table)>|<br\b[^>]*>/gi, '\n')
    .replace(/<[^<>]*>/g, ' ')
    .replace(/&(?:#(\d{1,7})|([a-z]{2,6}));/gi, (whole, code?: string, name?: string) =>
      code === undefined
        ? (entities[(name ?? '').toLowerCase()] ?? whole)
        : String.fromCodePoint(Math.min(Number(code), 0x10ffff)),
    )
    .replace(/[ \t\u00a0]+/g, ' ')
    .replace(/ ?\n[ \n]*/g, '\n')
    .trim();
}

/** In linear time, also where an element never ends. */
function withoutElements(html: string, names: readonly string[]): string {
  const begin = new RegExp(`<(${names.join('|')})\\b`, 'gi');
  const kept: string[] = [];
  let at = 0;
  for (let found = begin.exec(html); found; found = begin.exec(html)) {
    const end = endOf(html, found[1] ?? '', found.index);
    kept.push(html.slice(at, found.index));
    at = end;
    begin.lastIndex = end;
  }
  return kept.join('') + html.slice(at);
}

function endOf(html: string, name: string, from: number): number {
  const end = new RegExp(`</${name}\\s*>`, 'gi');
  end.lastIndex = from;
  return end.exec(html) ? end.lastIndex : html.length;
}
