import type { PartTask } from './read-page.ts';
import { parsePage } from './readable-text.ts';

/** Characters of all that a selector finds: parts of a page may hold each other. */
const mostFound = 1_000_000;

/** The text of a page, or the HTML of what a selector finds in it. Takes time and memory: for a worker. */
export function partOfPage({ html, selector }: PartTask): string {
  return selector === undefined ? textOfHtml(html) : selectIn(html, selector);
}

function selectIn(html: string, selector: string): string {
  const found: string[] = [];
  let room = mostFound;
  for (const { innerHTML } of parsePage(html).querySelectorAll(selector)) {
    found.push(innerHTML.slice(0, room));
    room -= innerHTML.length + 1;
    if (room <= 0) {
      break;
    }
  }
  return found.join('\n');
}

const entities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
};

/** The text of a page, without its scripts and styles. */
function textOfHtml(html: string): string {
  return withoutElements(html, ['script', 'style', 'noscript', 'template', 'svg', 'head', 'title'])
    .replace(/<!--[\s\S]*?(?:-->|$)/g, '')
    .replace(/<\/(?:p|div|li|tr|h[1-6]|section|article|ul|ol|table)>|<br\b[^<>]*>/gi, '\n')
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
