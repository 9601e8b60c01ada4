import { parentPort } from 'node:worker_threads';
import { addressEnd, markAddressEnds } from '@knowhow/shared/cjk-autolinks';
import { micromark } from 'micromark';
import { cjkFriendlyExtension } from 'micromark-extension-cjk-friendly';
import { gfmStrikethroughCjkFriendly } from 'micromark-extension-cjk-friendly-gfm-strikethrough';
import { gfm, gfmHtml } from 'micromark-extension-gfm';
import { lowerPriority } from '../../../platform/lib/lower-priority.ts';
import type { MarkdownTask, RenderedMarkdown } from './render-markdown.ts';

// Runs in a worker thread per export; see `render-markdown.ts`.
lowerPriority();

/**
 * Maximum characters of a text and of a line, and maximum nesting at the start of a line; beyond these, parsing may
 * take seconds.
 */
const maxLength = 60_000;
const maxLineLength = 20_000;
const maxNesting = 100;
/** The same Markdown dialect as the chat: `client/src/ui/markdown/parse-markdown.ts`. */
const options = {
  extensions: [
    gfm({ singleTilde: false }),
    cjkFriendlyExtension(),
    gfmStrikethroughCjkFriendly({ singleTilde: false }),
  ],
  htmlExtensions: [gfmHtml()],
};

/** Time limit for all texts of a task. */
const maxMs = 5000;

/** Renders Markdown. HTML tags are escaped, and links with protocols other than those of web and mail are dropped. */
function render(text: string, began: number): string | undefined {
  if (isTooComplex(text) || performance.now() - began > maxMs) {
    return undefined;
  }
  try {
    return withDirections(withoutMarks(micromark(markAddressEnds(text), options)));
  } catch {
    return undefined;
  }
}

/** Lists, tables and quotations take the direction of their text; `exportStyle` does the same for paragraphs. */
function withDirections(html: string): string {
  return html.replace(/<(ul|ol|table|blockquote)(?=[\s>])/g, '<$1 dir="auto"');
}

/** Removes the marks of `markAddressEnds`, including percent-encoded ones in bracketed links. */
function withoutMarks(html: string): string {
  return html.replaceAll(addressEnd, '').replaceAll(encodeURIComponent(addressEnd), '');
}

function isTooComplex(text: string): boolean {
  return (
    text.length > maxLength ||
    text.split('\n').some((line) => {
      const marks = line.match(/^[\s>*+\-\d.)]*/)?.[0].replaceAll(/\s/g, '') ?? '';
      return line.length > maxLineLength || (marks.length > maxNesting && /[>\d]/.test(marks));
    })
  );
}

parentPort?.on('message', (texts: MarkdownTask) => {
  const began = performance.now();
  const rendered: RenderedMarkdown = texts.map((text) => render(text, began));
  parentPort?.postMessage(rendered);
});
