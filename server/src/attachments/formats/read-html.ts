import { plainMarkdown } from '../../tools/builtin/plain-markdown.ts';
import { parsePage } from '../../tools/builtin/readable-text.ts';
import { DocumentFault, type DocumentText, wholeText } from '../document.ts';
import { decodeText } from './read-plain.ts';

/** What people read of a page. */
export function readHtml(bytes: Uint8Array): DocumentText {
  const head = new TextDecoder('latin1').decode(bytes.subarray(0, 2048));
  return readMarkup(decodeText(bytes, /<meta[^>]+charset\s*=\s*["']?\s*([\w-]+)/i.exec(head)?.[1]));
}

export function readMarkup(html: string): DocumentText {
  const page = parsePage(html);
  const { title } = page;
  const text = plainMarkdown(page.body ?? page.documentElement);
  if (text === '') {
    throw new DocumentFault('empty');
  }
  return wholeText(title ? `${title.trim()}\n\n${text}` : text);
}
