import { Worker } from 'node:worker_threads';
import { WorkerFailed } from '../../../platform/lib/run-worker.ts';
import { workerAddress } from '../../../platform/lib/worker-address.ts';

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

/** A worker thread that is reused for consecutive tasks, because starting one takes longer than most tasks. */
interface ReusableWorker<Task, Answer> {
  /** Runs one task at a time. Throws `WorkerFailed` on failure or timeout; the next task gets a new thread. */
  run(task: Task): Promise<Answer>;
  close(): Promise<void>;
}

interface Limits {
  /** Timeout of a task in milliseconds. */
  timeLimit: number;
  /** Maximum heap size in megabytes. */
  heapLimit: number;
}

/** @param address URL of a script that answers each message with one; started on first use */
function createReusableWorker<Task, Answer>(
  address: URL,
  { timeLimit, heapLimit }: Limits,
): ReusableWorker<Task, Answer> {
  let worker: Worker | undefined;
  let pending: Pending<Answer> | undefined;
  const close = async () => {
    const ended = worker;
    worker = undefined;
    await ended?.terminate();
  };
  const rejectWith = (message: string) => (cause?: unknown) =>
    pending?.reject(new WorkerFailed(message, { cause }));
  const start = () =>
    new Worker(address, {
      resourceLimits: { maxOldGenerationSizeMb: heapLimit },
      // The worker must not see secrets in the environment.
      env: {},
      execArgv: [],
    })
      .on('message', (answer: Answer) => pending?.resolve(answer))
      .on('error', rejectWith('It failed.'))
      .on('exit', rejectWith('It ended without an answer.'));
  return {
    close,
    run: async (task) => {
      worker ??= start();
      worker.postMessage(task);
      const timer = setTimeout(rejectWith('It took too long.'), timeLimit);
      try {
        return await new Promise<Answer>((resolve, reject) => {
          pending = { resolve, reject };
        });
      } catch (error) {
        await close();
        throw error;
      } finally {
        pending = undefined;
        clearTimeout(timer);
      }
    },
  };
}

interface Pending<Answer> {
  resolve: (answer: Answer) => void;
  reject: (error: unknown) => void;
}
