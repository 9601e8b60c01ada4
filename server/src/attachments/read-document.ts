import { maxFilesAttached } from '@knowhow/shared/chat/attachments';
import { problem } from '@knowhow/shared/problem';
import { errorCode } from '../lib/error-code.ts';
import { runProcess } from '../lib/run-process.ts';
import { outOfMemory, WorkerFailed } from '../lib/run-worker.ts';
import { createSemaphore, createSemaphores } from '../lib/semaphore.ts';
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

/** Documents of one user, or one address, that may wait: as many as a message takes. */
const maxWaiting = maxFilesAttached;
/** Users whose next document may wait for a process. */
const maxUsersWaiting = 100;

/**
 * Gives readers. The documents of one user are read one after the other, so that others need not wait for all of
 * them. A reader throws `too-many-requests` if too many wait already. It stops when its signal is aborted, and
 * rejects: a document that was not yet read is not kept either.
 *
 * @param processes at once; further ones wait
 */
export function createDocumentReader(
  processes: number,
): (who: string, gone: AbortSignal) => DocumentReader {
  const all = createSemaphore(processes, maxUsersWaiting);
  const own = createSemaphores(1, maxWaiting);
  return (who, gone) => async (task) => {
    const leaveOwn = await own(who).take(1, gone);
    try {
      const leave = leaveOwn && (await all.take(1, gone));
      if (!leave) {
        const detail = 'Too many files are being read at once. Try again in a moment.';
        throw problem('too-many-requests', detail, { retryAfter: 10 });
      }
      return await read(task, gone).finally(leave);
    } finally {
      leaveOwn?.();
    }
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
