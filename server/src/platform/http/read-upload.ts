import { Problem, problem } from '@knowhow/shared/problem';
import type { Request } from 'express';
import { createSemaphore, createSemaphores, type Semaphore } from '../lib/semaphore.ts';
import { disconnectSignal } from './disconnect-signal.ts';
import { limitUploadTime } from './limit-bodies.ts';
import { rateLimitKey } from './rate-limit.ts';
import { readForm } from './read-form.ts';

/** An uploaded file. */
export interface Upload {
  bytes: Buffer;
  /** The client's name for it; never used as a path (path traversal). */
  fileName: string | undefined;
  mediaType: string;
}

/** An oversized body is drained so that the client gets the response, up to this multiple of the limit. */
const maxDrained = 4;

/** Memory budget of all uploads of one process. */
const maxMemory = 128 * 1024 * 1024;
const maxWaiting = 20;
const semaphore = createSemaphore(maxMemory, maxWaiting);
/** One user or address gets at most half of it, however slowly they send. */
const ownSemaphore = createSemaphores(maxMemory / 2, maxWaiting);

/**
 * Reads the single file of a request, up to `maxBytes`: a form's field `file`, or the bare body. Waits for
 * the memory budget of uploads, and releases it after the response.
 */
export async function readUpload(request: Request, maxBytes: number): Promise<Upload> {
  await acquireMemory(request, maxBytes);
  const endLimit = limitUploadTime(request);
  try {
    const upload = request.is('multipart/form-data')
      ? await readFile(request, maxBytes)
      : await readBody(request, maxBytes);
    rejectAnswered(request);
    return upload;
  } catch (error) {
    throw error instanceof Problem ? error : uploadAbortedProblem(error);
  } finally {
    endLimit();
  }
}

/** Throws if the request was answered while its last bytes arrived, because they were late. */
export function rejectAnswered({ res }: Request): void {
  if (res?.headersSent) {
    throw uploadAbortedProblem(undefined);
  }
}

async function acquireMemory(request: Request, maxBytes: number): Promise<void> {
  const gone = disconnectSignal(request);
  const announced = Number(request.headers['content-length'] ?? maxBytes);
  const size = Math.min(announced, maxBytes);
  const isFree =
    (await acquire(ownSemaphore(rateLimitKey(request)), size, gone)) &&
    (await acquire(semaphore, size, gone));
  if (!isFree) {
    throw problem('too-many-requests', 'Too many uploads at once. Try again in a moment.', {
      retryAfter: 10,
    });
  }
}

/** Acquires memory until the client disconnects; false if too many are waiting. */
async function acquire(semaphore: Semaphore, size: number, gone: AbortSignal): Promise<boolean> {
  const leave = await semaphore.take(size, gone).catch((error) => {
    throw uploadAbortedProblem(error);
  });
  if (leave) {
    gone.addEventListener('abort', leave, { once: true });
  }
  return leave !== undefined;
}

export function uploadAbortedProblem(cause: unknown) {
  return problem('bad-request', 'The upload was cut off. Send it again.', { cause });
}

async function readBody(request: Request, maxBytes: number): Promise<Upload> {
  const chunks: Buffer[] = [];
  let size = 0;
  // Keeps the request open if it is not read to its end, so that the client gets the response.
  const read: AsyncIterable<Buffer> = request.iterator({ destroyOnReturn: false });
  for await (const chunk of read) {
    size += chunk.length;
    if (size <= maxBytes) {
      chunks.push(chunk);
      continue;
    }
    chunks.length = 0;
    if (size > maxBytes * maxDrained) {
      break;
    }
  }
  if (size > maxBytes) {
    throw fileTooLargeProblem(maxBytes);
  }
  return { bytes: Buffer.concat(chunks), fileName: undefined, mediaType: getMediaType(request) };
}

/** The media type of a bare body. */
export function getMediaType({ headers }: Request): string {
  return headers['content-type']?.split(';')[0]?.trim().toLowerCase() ?? '';
}

async function readFile(request: Request, maxBytes: number): Promise<Upload> {
  const { taken, wasCut } = await readForm(
    request,
    maxBytes,
    async (stream, { filename, mimeType }) => ({
      bytes: await collect(stream),
      fileName: filename,
      mediaType: mimeType,
    }),
  );
  if (wasCut) {
    throw fileTooLargeProblem(maxBytes);
  }
  return taken;
}

async function collect(stream: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) {
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

export function fileTooLargeProblem(maxBytes: number) {
  const size = `${Math.floor(maxBytes / 1024 / 1024)} MiB`;
  return problem('too-large', `The file is larger than the limit of ${size}.`);
}
