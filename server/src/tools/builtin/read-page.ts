import { limitConcurrency } from '../../lib/limit-concurrency.ts';
import { runWorker } from '../../lib/run-worker.ts';
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

/** Reads pages in threads of their own, so that a hostile one costs no more than its thread. */
export interface PageReader {
  /** Throws `WorkerFailed`. */
  page(task: PageTask): Promise<PageText>;
  /** Throws `WorkerFailed`. */
  part(task: PartTask): Promise<string>;
}

const limits = { timeLimit: 5000, heapLimit: 256 };

/** @param threads at once; further ones wait */
export function createPageReader(threads: number): PageReader {
  const bounded = limitConcurrency(threads);
  const address = workerAddress('read-page-worker');
  const run = <Answer>(data: WorkerTask, handedOver: ArrayBuffer[] = []) =>
    bounded(() => runWorker<Answer>(address, { data, handedOver, ...limits }));
  return {
    page: (task) => run<PageText>({ read: 'page', task }, [task.bytes.buffer]),
    part: (task) => run<string>({ read: 'part', task }),
  };
}
