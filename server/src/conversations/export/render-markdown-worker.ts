import { parentPort } from 'node:worker_threads';
import { micromark } from 'micromark';
import { gfm, gfmHtml } from 'micromark-extension-gfm';
import { lowerPriority } from '../../lib/lower-priority.ts';
import type { MarkdownTask, RenderedMarkdown } from './render-markdown.ts';

// Runs in a thread of its own, for one export: see `render-markdown.ts`.
lowerPriority();

/** Characters of a text, of one line of it, and levels that it begins with: above that it may take seconds. */
const longest = 60_000;
const longestLine = 20_000;
const deepest = 100;
const drawing = { extensions: [gfm()], htmlExtensions: [gfmHtml()] };

/** For all texts of a task. */
const mostMs = 5000;

/** Tags are written out, and addresses of other protocols than those of pages and letters left out. */
function render(text: string, began: number): string | undefined {
  if (isTooMuch(text) || performance.now() - began > mostMs) {
    return undefined;
  }
  try {
    return micromark(text, drawing);
  } catch {
    return undefined;
  }
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
