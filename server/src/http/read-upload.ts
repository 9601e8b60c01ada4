import { Problem, problem } from '@knowhow/shared/problem';
import type { Request } from 'express';
import { createSemaphore, createSemaphores, type Semaphore } from '../lib/semaphore.ts';
import { disconnectSignal } from './disconnect-signal.ts';
import { rateLimitKey } from './rate-limit.ts';
import { readForm } from './read-form.ts';

/** A file that came with a request. */
export interface Upload {
  bytes: Buffer;
  /** As the sender calls it; never used as a path. */
  fileName: string | undefined;
  mediaType: string;
}

/** A body that is too large is read to its end, so that the answer is heard, but not further than this. */
const maxDrained = 4;

/** What all uploads may take of the memory at a time: those of one process share it. */
const mostMemory = 128 * 1024 * 1024;
const mostWaiting = 20;
const semaphore = createSemaphore(mostMemory, mostWaiting);
/** One user, or one address, has no more than half of it, however slowly they send: others may send as well. */
const ownSemaphore = createSemaphores(mostMemory / 2, mostWaiting);
const stalledMs = 30_000;
/** What has to come in that time at least. */
const stalledBytes = 16 * 1024;

/**
 * Reads the one file of a request: a form's field `file`, or the bare body. At most `maxBytes`. Waits
 * while others fill the memory that uploads may take; what it takes is free again after the answer.
 */
export async function readUpload(request: Request, maxBytes: number): Promise<Upload> {
  await enterRoom(request, maxBytes);
  const watch = endStalled(request);
  try {
    return request.is('multipart/form-data')
      ? await readFile(request, maxBytes)
      : await readBody(request, maxBytes);
  } catch (error) {
    throw error instanceof Problem ? error : brokenOff(error);
  } finally {
    clearInterval(watch);
  }
}

async function enterRoom(request: Request, maxBytes: number): Promise<void> {
  const gone = disconnectSignal(request);
  const announced = Number(request.headers['content-length'] ?? maxBytes);
  const size = Math.min(announced, maxBytes);
  const isFree =
    (await enter(ownSemaphore(rateLimitKey(request)), size, gone)) &&
    (await enter(semaphore, size, gone));
  if (!isFree) {
    throw problem('too-many-requests', 'Too many uploads at once. Try again in a moment.', {
      retryAfter: 10,
    });
  }
}

/** Takes so much until the request is gone; false when too many wait for it. */
async function enter(semaphore: Semaphore, size: number, gone: AbortSignal): Promise<boolean> {
  const leave = await semaphore.take(size, gone).catch((error) => {
    throw brokenOff(error);
  });
  if (leave) {
    gone.addEventListener('abort', leave, { once: true });
  }
  return leave !== undefined;
}

/** Ends a request from which next to nothing comes any more. */
export function endStalled(request: Request): NodeJS.Timeout {
  let read = 0;
  return setInterval(() => {
    if (request.socket.bytesRead < read + stalledBytes) {
      request.destroy();
    }
    read = request.socket.bytesRead;
  }, stalledMs);
}

export function brokenOff(cause: unknown) {
  return problem('bad-request', 'The upload was cut off. Send it again.', { cause });
}

async function readBody(request: Request, maxBytes: number): Promise<Upload> {
  const chunks: Buffer[] = [];
  let size = 0;
  // Whoever sends is to hear the answer: the request stays where it is not read to its end.
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
    throw tooLarge(maxBytes);
  }
  const mediaType = request.headers['content-type']?.split(';')[0]?.trim().toLowerCase() ?? '';
  return { bytes: Buffer.concat(chunks), fileName: undefined, mediaType };
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
    throw tooLarge(maxBytes);
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

export function tooLarge(maxBytes: number) {
  const size = `${Math.floor(maxBytes / 1024 / 1024)} MiB`;
  return problem('too-large', `The file is larger than ${size}, which is the most that is taken.`);
}
