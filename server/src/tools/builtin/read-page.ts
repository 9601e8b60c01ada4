import { limitConcurrency } from '../../lib/limit-concurrency.ts';
import { runWorker } from '../../lib/run-worker.ts';
import { workerAddress } from '../../lib/worker-address.ts';

/** What the worker is given. */
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

const limits = { timeLimit: 5000, heapLimit: 256 };

/**
 * Reads pages in threads of their own, so that a hostile one costs no more than its thread. Throws
 * `WorkerFailed`.
 *
 * @param threads at once; further ones wait
 */
export function createPageReader(threads: number): (task: PageTask) => Promise<PageText> {
  const bounded = limitConcurrency(threads);
  const address = workerAddress('read-page-worker');
  return (data) =>
    bounded(() => runWorker(address, { data, handedOver: [data.bytes.buffer], ...limits }));
}
