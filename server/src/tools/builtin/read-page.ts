import { limitConcurrency } from '../../lib/limit-concurrency.ts';
import { runProcess } from '../../lib/run-process.ts';
import { workerAddress } from '../../lib/worker-address.ts';

/** A page to be read as people do. */
export interface PageTask {
  /** HTML, in the encoding that it names itself unless the server named one. */
  bytes: Uint8Array<ArrayBuffer>;
  charset: string | undefined;
  /** What links are relative to. */
  address: string;
}

/** What people read of a page. */
export interface PageText {
  title: string;
  /** Headings, lists, tables and code as in Markdown. */
  text: string;
  links: { text: string; url: string }[];
}

/** Of a page, what a selector finds, or all its text. */
export interface PartTask {
  html: string;
  selector: string | undefined;
}

/** What the worker is given. */
export type WorkerTask = { read: 'page'; task: PageTask } | { read: 'part'; task: PartTask };

/** Reads pages in processes of their own, so that a hostile one leaves nothing behind. */
export interface PageReader {
  /** Throws `WorkerFailed`. */
  page(task: PageTask): Promise<PageText>;
  /** Throws `WorkerFailed`. */
  part(task: PartTask): Promise<string>;
}

const limits = { timeLimit: 5000, heapLimit: 256, memoryLimit: 400 };

/** @param processes at once; further ones wait */
export function createPageReader(processes: number): PageReader {
  const bounded = limitConcurrency(processes);
  const address = workerAddress('read-page-worker');
  const run = <Answer>(data: WorkerTask) =>
    bounded(() => runProcess<Answer>(address, { data, ...limits }));
  return {
    page: (task) => run<PageText>({ read: 'page', task }),
    part: (task) => run<string>({ read: 'part', task }),
  };
}
