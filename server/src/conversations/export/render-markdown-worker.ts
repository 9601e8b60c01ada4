import { parentPort } from 'node:worker_threads';
import { addressEnd, markAddressEnds } from '@knowhow/shared/cjk-autolinks';
import { micromark } from 'micromark';
import { cjkFriendlyExtension } from 'micromark-extension-cjk-friendly';
import { gfmStrikethroughCjkFriendly } from 'micromark-extension-cjk-friendly-gfm-strikethrough';
import { gfm, gfmHtml } from 'micromark-extension-gfm';
import { lowerPriority } from '../../lib/lower-priority.ts';
import type { MarkdownTask, RenderedMarkdown } from './render-markdown.ts';

// Runs in a thread of its own, for one export: see `render-markdown.ts`.
lowerPriority();

/** Characters of a text, of one line of it, and levels that it begins with: above that it may take seconds. */
const longest = 60_000;
const longestLine = 20_000;
const deepest = 100;
/** As the chat reads Markdown: `client/src/ui/markdown/parse-markdown.ts`. */
const drawing = {
  extensions: [
    gfm({ singleTilde: false }),
    cjkFriendlyExtension(),
    gfmStrikethroughCjkFriendly({ singleTilde: false }),
  ],
  htmlExtensions: [gfmHtml()],
};

/** For all texts of a task. */
const mostMs = 5000;

/** Tags are written out, and addresses of other protocols than those of pages and letters left out. */
function render(text: string, began: number): string | undefined {
  if (isTooMuch(text) || performance.now() - began > mostMs) {
    return undefined;
  }
  try {
    return withDirections(withoutMarks(micromark(markAddressEnds(text), drawing)));
  } catch {
    return undefined;
  }
}

/** The direction of lists, tables and quotations is that of their text; `exportStyle` does the same for paragraphs. */
function withDirections(html: string): string {
  return html.replace(/<(ul|ol|table|blockquote)(?=[\s>])/g, '<$1 dir="auto"');
}

/** Takes out what `markAddressEnds` put in, also where it is encoded in an address that was written with brackets. */
function withoutMarks(html: string): string {
  return html.replaceAll(addressEnd, '').replaceAll(encodeURIComponent(addressEnd), '');
}

function isTooMuch(text: string): boolean {
  return (
    text.length > longest ||
    text.split('\n').some((line) => {
      const marks = line.match(/^[\s>*+\-\d.)]*/)?.[0].replaceAll(/\s/g, '') ?? '';
      return line.length > longestLine || (marks.length > deepest && /[>\d]/.test(marks));
    })
  );
}

parentPort?.on('message', (texts: MarkdownTask) => {
  const began = performance.now();
  const rendered: RenderedMarkdown = texts.map((text) => render(text, began));
  parentPort?.postMessage(rendered);
});
