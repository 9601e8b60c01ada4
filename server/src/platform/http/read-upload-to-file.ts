import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Problem, problem } from '@knowhow/shared/problem';
import type { Request } from 'express';
import { createSemaphore } from '../lib/semaphore.ts';
import { toWriteProblem } from '../lib/write-problem.ts';
import { disconnectSignal } from './disconnect-signal.ts';
import { readForm } from './read-form.ts';
import {
  abortWhenStalled,
  fileTooLargeProblem,
  getMediaType,
  readUpload,
  type Upload,
  uploadAbortedProblem,
} from './read-upload.ts';

interface Destination {
  /** Folder of the temporary file. */
  folder: string;
  maxBytes: number;
}

/** The client's description of the file. */
type SentFile = Pick<Upload, 'fileName' | 'mediaType'>;

/** Each may use half a gigabyte of disk. */
const semaphore = createSemaphore(2, 4);

/**
 * Streams the single file of a request, a form's field `file` or the bare body, to a private temporary file.
 * Calls `use` with its path and deletes it afterwards. Buffers nothing in memory.
 */
export async function withUploadedFile<Result>(
  request: Request,
  destination: Destination,
  use: (path: string, sent: SentFile) => Promise<Result>,
): Promise<Result> {
  const { folder, maxBytes } = destination;
  if (!request.is('multipart/form-data') && announcedSize(request) > maxBytes) {
    throw fileTooLargeProblem(maxBytes);
  }
  const leave = await acquireSlot(request);
  const path = join(folder, `${randomUUID()}.upload`);
  try {
    return await use(path, await save(request, path, maxBytes));
  } finally {
    leave();
    // A file that cannot be deleted now is cleaned up at the next start.
    await rm(path, { force: true }).catch(() => undefined);
  }
}

/** An uploaded file: its bytes, or its path if it is large. */
export type LargeUpload =
  | (Upload & { path?: undefined })
  | (SentFile & { bytes?: undefined; path: string });

/**
 * The single file of a request in memory if it is announced as small, otherwise in a temporary file, which exists until
 * `use` has ended.
 */
export async function withLargeUpload<Result>(
  request: Request,
  destination: Destination,
  use: (upload: LargeUpload) => Promise<Result>,
): Promise<Result> {
  const announced = request.headers['content-length'];
  if (announced !== undefined && Number(announced) <= maxInMemory) {
    return use(await readUpload(request, Math.min(destination.maxBytes, maxInMemory)));
  }
  return withUploadedFile(request, destination, async (path, sent) => {
    const { size } = await stat(path);
    return use(size <= maxInMemory ? { ...sent, bytes: await readFile(path) } : { ...sent, path });
  });
}

const maxInMemory = 32 * 1024 * 1024;

function announcedSize({ headers }: Request): number {
  return Number(headers['content-length'] ?? 0);
}

async function acquireSlot(request: Request): Promise<() => void> {
  const leave = await semaphore.take(1, disconnectSignal(request)).catch((error: unknown) => {
    throw uploadAbortedProblem(error);
  });
  if (!leave) {
    throw problem('too-many-requests', 'Too many large uploads at once. Try again in a moment.', {
      retryAfter: 30,
    });
  }
  return leave;
}

async function save(request: Request, path: string, maxBytes: number): Promise<SentFile> {
  const stallTimer = abortWhenStalled(request);
  try {
    const isForm = request.is('multipart/form-data');
    if (isForm) {
      return await saveForm(request, path, maxBytes);
    }
    await saveStream(request, path, maxBytes);
    return { fileName: undefined, mediaType: getMediaType(request) };
  } catch (error) {
    throw error instanceof Problem ? error : uploadAbortedProblem(error);
  } finally {
    clearInterval(stallTimer);
  }
}

async function saveForm(request: Request, path: string, maxBytes: number): Promise<SentFile> {
  const { taken, wasCut } = await readForm(
    request,
    maxBytes,
    async (stream, { filename, mimeType }) => {
      await saveStream(stream, path, maxBytes);
      return { fileName: filename, mediaType: mimeType };
    },
  );
  if (wasCut) {
    throw fileTooLargeProblem(maxBytes);
  }
  return taken;
}

/** Drains an oversized body so that the client gets the response, up to twice the limit. */
async function saveStream(source: Readable, path: string, maxBytes: number): Promise<void> {
  let size = 0;
  const file = createWriteStream(path, { flags: 'wx', mode: 0o600 });
  const failed = new Promise<never>((_, reject) => {
    file.once('error', (error) => reject(toWriteProblem(error, 'The data folder')));
  });
  const chunks = async function* () {
    // Keeps the request open whatever happens to the file, so that the client gets the response.
    for await (const chunk of source.iterator({ destroyOnReturn: false })) {
      size += chunk.length;
      if (size <= maxBytes) {
        yield chunk;
      } else if (size > 2 * maxBytes) {
        return;
      }
    }
  };
  await Promise.race([failed, pipeline(chunks, file)]);
  if (size > maxBytes) {
    throw fileTooLargeProblem(maxBytes);
  }
}
