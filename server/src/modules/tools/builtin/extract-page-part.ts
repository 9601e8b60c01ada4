import type { PartTask } from './read-page.ts';
import { parsePage } from './readable-text.ts';

/** Maximum characters of all matches, since they may be nested. */
const maxMatchedCharacters = 1_000_000;

/** The text of a page, or the HTML matching a selector. Expensive: run it in a worker. */
export function extractPagePart({ html, selector }: PartTask): string {
  return selector === undefined ? textOfHtml(html) : selectIn(html, selector);
}

function selectIn(html: string, selector: string): string {
  const found: string[] = [];
  let remaining = maxMatchedCharacters;
  for (const { innerHTML } of parsePage(html).querySelectorAll(selector)) {
    found.push(innerHTML.slice(0, remaining));
    remaining -= innerHTML.length + 1;
    if (remaining <= 0) {
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

/** The page's text without scripts and styles. */
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

/** Linear time, even for unclosed elements. */
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
