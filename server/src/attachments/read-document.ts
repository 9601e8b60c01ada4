import { limitConcurrency } from '../lib/limit-concurrency.ts';
import { runWorker, WorkerFailed } from '../lib/run-worker.ts';
import { workerAddress } from '../lib/worker-address.ts';
import type { DocumentFaultCode, DocumentFormat, DocumentText } from './document.ts';

export interface DocumentTask {
  format: DocumentFormat;
  bytes: Uint8Array<ArrayBuffer>;
}

/** What the worker answers. */
export type ReadDocument = (DocumentText & { tokens: number }) | { fault: DocumentFaultCode };

/**
 * Reads a document of somebody's in a thread of its own, so that a hostile one costs no more than its thread. Those of
 * one person are read one after the other, so that others need not wait for all of them.
 */
export type DocumentReader = (owner: string, task: DocumentTask) => Promise<ReadDocument>;

const limits = { timeLimit: 30_000, heapLimit: 512 };

/** @param threads at once; further ones wait */
export function createDocumentReader(threads: number): DocumentReader {
  const bounded = limitConcurrency(threads);
  const owners = new Map<string, { oneByOne: typeof bounded; waiting: number }>();
  return async (owner, task) => {
    const own = owners.get(owner) ?? { oneByOne: limitConcurrency(1), waiting: 0 };
    owners.set(owner, own);
    own.waiting += 1;
    try {
      return await own.oneByOne(() => bounded(() => read(task)));
    } finally {
      own.waiting -= 1;
      if (own.waiting === 0) {
        owners.delete(owner);
      }
    }
  };
}

async function read({ format, bytes }: DocumentTask): Promise<ReadDocument> {
  // What is handed over is gone here, and it is to be stored.
  const copy = new Uint8Array(bytes);
  const task = { data: { format, bytes: copy }, handedOver: [copy.buffer], ...limits };
  try {
    return await runWorker<ReadDocument>(workerAddress('read-document-worker'), task);
  } catch (error) {
    if (!(error instanceof WorkerFailed)) {
      throw error;
    }
    return { fault: 'too-slow' };
  }
}
