import { WorkerFailed } from '../../../platform/lib/run-worker.ts';
import { workerAddress } from '../../../platform/lib/worker-address.ts';
import { createReusableWorker, type ReusableWorker } from './reusable-worker.ts';

/** Input and output of the worker; undefined for a text that takes too long or cannot be rendered. */
export type MarkdownTask = string[];
export type RenderedMarkdown = (string | undefined)[];

const limits = { timeLimit: 30_000, heapLimit: 256 };
/** Time limit per export, in milliseconds; later texts are shown as plain text. */
const maxMs = 60_000;

export interface MarkdownRenderer {
  /** Returns HTML without active content; tags in the texts are escaped. */
  render(texts: string[]): Promise<string[]>;
  close(): Promise<void>;
}

/** Renders Markdown to HTML in a worker thread. A text that cannot be rendered in time is shown as plain text. */
export function markdownRenderer(): MarkdownRenderer {
  const worker = createReusableWorker<MarkdownTask, RenderedMarkdown>(
    workerAddress('render-markdown-worker'),
    limits,
  );
  let spent = 0;
  return {
    close: worker.close,
    render: async (texts) => {
      const began = performance.now();
      const rendered = spent < maxMs ? await tryRender(worker, texts) : [];
      spent += performance.now() - began;
      return texts.map((text, index) => rendered[index] ?? `<pre>${escapeHtml(text)}</pre>`);
    },
  };
}

type MarkdownWorker = ReusableWorker<MarkdownTask, RenderedMarkdown>;

async function tryRender(worker: MarkdownWorker, texts: string[]): Promise<RenderedMarkdown> {
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

/** Escapes text for HTML content and attributes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? character);
}
