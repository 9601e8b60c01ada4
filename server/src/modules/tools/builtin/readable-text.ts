import { isUtf8 } from 'node:buffer';
import { decodeBytes, encodingName } from '@knowhow/shared/decode-bytes';
import { Readability } from '@mozilla/readability';
import { parseHTML } from 'linkedom';
import type { Page, PageElement } from './page-node.ts';
import { plainMarkdown } from './plain-markdown.ts';
import type { PageTask, PageText } from './read-page.ts';

const maxLinks = 100;
/** Pages with more tags are not meant for reading and would only cost CPU time. */
const maxTags = 250_000;
/** Above this, the expensive search for the article is skipped. */
const maxElements = 50_000;
/** Bytes searched for the declared encoding. */
const headBytes = 2048;

/** Extracts the article of a page, or all of its text. Expensive: run it in a worker. */
export function readableText({ bytes, charset, address }: PageTask): PageText {
  const html = decode(bytes, charset);
  const page = parsePage(html);
  const base = baseOf(page, address);
  const { title } = page;
  // Readability modifies the DOM.
  const article = articleOf(page);
  const content = article?.content ?? wholeOf(parsePage(html));
  return {
    title: (article?.title || title).trim().slice(0, 300),
    text: plainMarkdown(content),
    links: linksOf(content, base),
  };
}

/** Throws if there are too many tags. */
export function parsePage(html: string): Page {
  if (html.split('<', maxTags + 2).length > maxTags + 1) {
    throw new Error('The page has too many tags.');
  }
  // Plain text is accepted as well.
  const isBare = !/<(html|body)\b/i.test(html);
  return parseHTML(isBare ? `<html><body>${html}</body></html>` : html).document as unknown as Page;
}

function articleOf(page: Page): { title: string; content: PageElement } | undefined {
  if (page.getElementsByTagName('*').length > maxElements) {
    return undefined;
  }
  const article = new Readability<PageElement>(page as never, {
    serializer: (node) => node as unknown as PageElement,
  }).parse();
  return article?.content ? { title: article.title ?? '', content: article.content } : undefined;
}

function wholeOf(page: Page): PageElement {
  return page.body ?? page.documentElement;
}

/** The encoding declared in the page's head. */
export function findCharset(bytes: Uint8Array): string | undefined {
  const head = decodeBytes(bytes.subarray(0, headBytes), 'windows-1252');
  return /<meta[^>]+charset\s*=\s*["']?\s*([\w-]+)/i.exec(head)?.[1];
}

function decode(bytes: Uint8Array, charset: string | undefined): string {
  const label = encodingName(charset) ?? encodingName(findCharset(bytes));
  // The HTML standard's fallback for Western languages.
  return decodeBytes(bytes, label ?? (isUtf8(bytes) ? 'utf-8' : 'windows-1252'));
}

function baseOf(page: Page, address: string): string {
  const written = page.querySelector('base')?.getAttribute('href') ?? '';
  return URL.canParse(written, address) ? new URL(written, address).href : address;
}

/** http(s) links, without duplicates. */
function linksOf(content: PageElement, base: string): PageText['links'] {
  const links = new Map<string, string>();
  for (const anchor of content.querySelectorAll('a[href]')) {
    const href = anchor.getAttribute('href') ?? '';
    const text = (anchor.textContent ?? '').replace(/\s+/g, ' ').trim().slice(0, 200);
    const url = URL.canParse(href, base) ? new URL(href, base) : undefined;
    if (text !== '' && url && /^https?:$/.test(url.protocol) && url.href.length < 2000) {
      links.set(url.href, links.get(url.href) ?? text);
    }
    if (links.size === maxLinks) {
      break;
    }
  }
  return [...links].map(([url, text]) => ({ text, url }));
}
