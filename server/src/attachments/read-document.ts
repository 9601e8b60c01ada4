import { errorCode } from '../lib/error-code.ts';
import { limitConcurrency } from '../lib/limit-concurrency.ts';
import { runProcess } from '../lib/run-process.ts';
import { outOfMemory, WorkerFailed } from '../lib/run-worker.ts';
import { workerAddress } from '../lib/worker-address.ts';
import type { DocumentFaultCode, DocumentFormat, DocumentText } from './document.ts';

export interface DocumentTask {
  format: DocumentFormat;
  bytes: Uint8Array<ArrayBuffer>;
}

/** What the worker answers. */
export type ReadDocument = (DocumentText & { tokens: number }) | { fault: DocumentFaultCode };

/** Reads a document in a process of its own, so that a hostile one leaves nothing behind. */
export type DocumentReader = (task: DocumentTask) => Promise<ReadDocument>;

const limits = { timeLimit: 30_000, heapLimit: 512, memoryLimit: 768 };
/** Megabytes. A PDF of 8 MB may unpack to gigabytes. */
const pdfMemoryLimit = 300;

/**
 * Gives readers: what one of them reads is read one after the other, so that others need not wait for all of it.
 *
 * @param processes at once; further ones wait
 */
export function createDocumentReader(processes: number): (who: string) => DocumentReader {
  const bounded = limitConcurrency(processes);
  const owners = new Map<string, { oneByOne: typeof bounded; waiting: number }>();
  return (who) => async (task) => {
    const own = owners.get(who) ?? { oneByOne: limitConcurrency(1), waiting: 0 };
    owners.set(who, own);
    own.waiting += 1;
    try {
      return await own.oneByOne(() => bounded(() => read(task)));
    } finally {
      own.waiting -= 1;
      if (own.waiting === 0) {
        owners.delete(who);
      }
    }
  };
}

async function read({ format, bytes }: DocumentTask): Promise<ReadDocument> {
  const memoryLimit = format === 'pdf' ? pdfMemoryLimit : limits.memoryLimit;
  const task = { data: { format, bytes }, ...limits, memoryLimit };
  try {
    return await runProcess<ReadDocument>(workerAddress('read-document-worker'), task);
  } catch (error) {
    if (!(error instanceof WorkerFailed)) {
      throw error;
    }
    const isTooMuch = errorCode(error.cause) === outOfMemory;
    return { fault: isTooMuch ? 'too-large' : 'too-slow' };
  }
}
