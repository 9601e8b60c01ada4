import { WorkerFailed } from '../../lib/run-worker.ts';
import { workerAddress } from '../../lib/worker-address.ts';
import { type KeptWorker, keptWorker } from './kept-worker.ts';

/** What the worker gets, and answers: undefined for what takes too long, or is no Markdown that can be drawn. */
export type MarkdownTask = string[];
export type RenderedMarkdown = (string | undefined)[];

const limits = { timeLimit: 30_000, heapLimit: 256 };
/** For one export, in milliseconds: what comes after that is shown as it was written. */
const mostMs = 60_000;

export interface MarkdownRenderer {
  /** HTML in which nothing runs and no tag is theirs. */
  render(texts: string[]): Promise<string[]>;
  close(): Promise<void>;
}

/**
 * Makes texts of models into HTML, in a thread of its own. A text that cannot be drawn in good time is shown as it was
 * written.
 */
export function markdownRenderer(): MarkdownRenderer {
  const worker = keptWorker<MarkdownTask, RenderedMarkdown>(
    workerAddress('render-markdown-worker'),
    limits,
  );
  let spent = 0;
  return {
    close: worker.close,
    render: async (texts) => {
      const began = performance.now();
      const rendered = spent < mostMs ? await renderedBy(worker, texts) : [];
      spent += performance.now() - began;
      return texts.map((text, index) => rendered[index] ?? `<pre>${escapeHtml(text)}</pre>`);
    },
  };
}

type MarkdownWorker = KeptWorker<MarkdownTask, RenderedMarkdown>;

async function renderedBy(worker: MarkdownWorker, texts: string[]): Promise<RenderedMarkdown> {
  return worker.run(texts).catch((error: unknown) => {
    if (error instanceof WorkerFailed) {
      return [];
    }
    throw error;
  });
}

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** For text and for attributes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? character);
}
