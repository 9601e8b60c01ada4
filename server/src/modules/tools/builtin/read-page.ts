import { runProcess } from '../../../platform/lib/run-process.ts';
import { createFairSemaphore } from '../../../platform/lib/semaphore.ts';
import { workerAddress } from '../../../platform/lib/worker-address.ts';
import type { ToolCall } from '../tool.ts';

/** A page whose readable content is extracted. */
export interface PageTask {
  /** HTML, in the encoding that it declares, unless the server declared one. */
  bytes: Uint8Array<ArrayBuffer>;
  charset: string | undefined;
  /** Base URL of relative links. */
  address: string;
}

/** The readable content of a page. */
export interface PageText {
  title: string;
  /** Headings, lists, tables and code as in Markdown. */
  text: string;
  links: { text: string; url: string }[];
}

/** HTML and a selector: the task is to extract the matches, or the whole text without a selector. */
export interface PartTask {
  html: string;
  selector: string | undefined;
}

/** The task of the worker. */
export type WorkerTask = { read: 'page'; task: PageTask } | { read: 'part'; task: PartTask };

/** The caller who wants a page, and the signal that ends the reading. */
export type PageCall = Pick<ToolCall, 'signal' | 'caller'>;

/**
 * Reads pages in separate processes, so that a hostile one leaves nothing behind. The pages of one user are read
 * one after the other. A process ends when the signal of its call is aborted, and the call then rejects.
 */
export interface PageReader {
  /** Throws `WorkerFailed`, or `TooManyPages`. */
  page(task: PageTask, call: PageCall): Promise<PageText>;
  /** Throws `WorkerFailed`, or `TooManyPages`. */
  part(task: PartTask, call: PageCall): Promise<string>;
}

/** Too many pages wait already; the message says so. */
export class TooManyPages extends Error {
  constructor() {
    super('Too many pages are being read at once. Try again in a moment.');
  }
}

const limits = { timeLimit: 5000, heapLimit: 256, memoryLimit: 400 };

/** Pages of one user that may wait. A page may have 10 MB. */
const maxWaiting = 4;
/** Users whose next page may wait for a process. */
const maxOwnersWaiting = 50;

/** @param processes at once; further ones wait */
export function createPageReader(processes: number): PageReader {
  const take = createFairSemaphore(processes, { maxWaiting, maxOwnersWaiting });
  const address = workerAddress('read-page-worker');
  const run = async <Answer>(data: WorkerTask, { signal, caller }: PageCall): Promise<Answer> => {
    const release = await take(caller.id, signal);
    if (!release) {
      throw new TooManyPages();
    }
    return runProcess<Answer>(address, { data, ...limits, signal }).finally(release);
  };
  return {
    page: (task, call) => run<PageText>({ read: 'page', task }, call),
    part: (task, call) => run<string>({ read: 'part', task }, call),
  };
}
