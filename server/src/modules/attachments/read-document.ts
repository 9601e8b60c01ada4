import { maxFilesAttached } from '@knowhow/shared/chat/attachments';
import { problem } from '@knowhow/shared/problem';
import { errorCode } from '../../platform/lib/error-code.ts';
import { runProcess } from '../../platform/lib/run-process.ts';
import { outOfMemory, WorkerFailed } from '../../platform/lib/run-worker.ts';
import { createFairSemaphore } from '../../platform/lib/semaphore.ts';
import { workerAddress } from '../../platform/lib/worker-address.ts';
import type { DocumentErrorCode, DocumentFormat, DocumentText } from './document.ts';

export interface DocumentTask {
  format: DocumentFormat;
  bytes: Uint8Array<ArrayBuffer>;
}

/** The worker's result. */
export type ReadDocument = (DocumentText & { tokens: number }) | { fault: DocumentErrorCode };

/** Reads a document in its own process, isolated against malicious files. */
export type DocumentReader = (task: DocumentTask) => Promise<ReadDocument>;

const limits = { timeLimit: 30_000, heapLimit: 512, memoryLimit: 768 };
/** Megabytes. An 8 MB PDF may decompress to gigabytes (zip bomb). */
const pdfMemoryLimit = 300;

/** Maximum queued documents per user or address: as many as one message takes. */
const maxWaiting = maxFilesAttached;
/** Maximum users waiting for a process. */
const maxOwnersWaiting = 100;

/**
 * Creates readers. Each user's documents are read sequentially, so that others do not have to wait
 * for all of them. A reader throws `too-many-requests` if the queue is full, and rejects when its
 * signal aborts.
 *
 * @param processes maximum concurrency
 */
export function createDocumentReader(
  processes: number,
): (who: string, disconnected: AbortSignal) => DocumentReader {
  const take = createFairSemaphore(processes, { maxWaiting, maxOwnersWaiting });
  return (who, disconnected) => async (task) => {
    const release = await take(who, disconnected);
    if (!release) {
      const detail = 'Too many files are being read at once. Try again in a moment.';
      throw problem('too-many-requests', detail, { retryAfter: 10 });
    }
    return read(task, disconnected).finally(release);
  };
}

async function read({ format, bytes }: DocumentTask, signal: AbortSignal): Promise<ReadDocument> {
  const memoryLimit = format === 'pdf' ? pdfMemoryLimit : limits.memoryLimit;
  const task = { data: { format, bytes }, ...limits, memoryLimit, signal };
  try {
    return await runProcess<ReadDocument>(workerAddress('read-document-worker'), task);
  } catch (error) {
    if (!(error instanceof WorkerFailed) || signal.aborted) {
      throw error;
    }
    const isTooMuch = errorCode(error.cause) === outOfMemory;
    return { fault: isTooMuch ? 'too-large' : 'too-slow' };
  }
}
