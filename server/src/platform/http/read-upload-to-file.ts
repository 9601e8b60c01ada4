import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { readFile, rm, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Problem, problem } from '@knowhow/shared/problem';
import type { Request } from 'express';
import { memoizeByObject } from '../lib/memoize-by-object.ts';
import { toWriteProblem } from '../lib/write-problem.ts';
import { boundedQueue, type Enqueue } from './bounded-queue.ts';
import { limitUploadTime } from './limit-bodies.ts';
import { readForm } from './read-form.ts';
import {
  fileTooLargeProblem,
  getMediaType,
  readUpload,
  rejectAnswered,
  type Upload,
  uploadAbortedProblem,
} from './read-upload.ts';

/** The folder and queue of large uploads of one group of routes. */
export interface UploadFolder {
  /** Folder of the temporary files. */
  folder: string;
  /** Limits concurrent uploads; a slot is held until the response is delivered. */
  queue: Enqueue;
}

interface Destination extends UploadFolder {
  maxBytes: number;
}

/** The client's description of the file. */
type SentFile = Pick<Upload, 'fileName' | 'mediaType'>;

/** Express setting: bytes of the disk that uploads leave free, for the database above all. */
export const reservedDisk = 'reserved disk';

/** Opens a folder for large uploads. Each may use half a gigabyte of disk, and one caller sends one at a time. */
export function openUploadFolder(folder: string): UploadFolder {
  const queue = boundedQueue({
    maxConcurrent: 4,
    maxWaiting: 20,
    maxPerCaller: 1,
    maxWaitingPerCaller: 2,
    label: 'large uploads',
  });
  return { folder, queue };
}

/**
 * Streams the single file of a request, a form's field `file` or the bare body, to a private temporary file.
 * Calls `use` with its path and deletes it afterwards. Buffers nothing in memory.
 */
export async function withUploadedFile<Result>(
  request: Request,
  destination: Destination,
  use: (path: string, sent: SentFile) => Promise<Result>,
): Promise<Result> {
  const { folder, maxBytes, queue } = destination;
  if (!request.is('multipart/form-data') && announcedSize(request) > maxBytes) {
    throw fileTooLargeProblem(maxBytes);
  }
  return queue(request, async () => {
    const release = await reserveDisk(request, destination);
    const path = join(folder, `${randomUUID()}.upload`);
    try {
      return await use(path, await save(request, path, maxBytes));
    } finally {
      release();
      // A file that cannot be deleted now is cleaned up at the next start.
      await rm(path, { force: true }).catch(() => undefined);
    }
  });
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

/** Bytes of the disk that uploads of a server may need, all together. */
const expectedBytes = memoizeByObject((_server: object) => ({ sum: 0 }));

/**
 * Reserves disk space for a body; one of unknown size may have the largest. Throws `not-writable` if there is too little
 * for all uploads that are running.
 *
 * @returns releases it
 */
async function reserveDisk(
  request: Request,
  { folder, maxBytes }: Destination,
): Promise<() => void> {
  const expected = expectedBytes(request.app);
  const wanted = announcedSize(request) || maxBytes;
  expected.sum += wanted;
  const release = () => {
    expected.sum -= wanted;
  };
  try {
    const { bavail, bsize } = await statfs(folder);
    if (bavail * bsize < expected.sum + Number(request.app.get(reservedDisk))) {
      throw problem(
        'not-writable',
        'The disk of the data folder has too little space for this upload. Free some, or send less.',
      );
    }
    return release;
  } catch (error) {
    release();
    throw toWriteProblem(error, 'The data folder');
  }
}

async function save(request: Request, path: string, maxBytes: number): Promise<SentFile> {
  const endLimit = limitUploadTime(request);
  try {
    const isForm = request.is('multipart/form-data');
    const sent = isForm
      ? await saveForm(request, path, maxBytes)
      : await saveBody(request, path, maxBytes);
    rejectAnswered(request);
    return sent;
  } catch (error) {
    throw error instanceof Problem ? error : uploadAbortedProblem(error);
  } finally {
    endLimit();
  }
}

async function saveBody(request: Request, path: string, maxBytes: number): Promise<SentFile> {
  await saveStream(request, path, maxBytes);
  return { fileName: undefined, mediaType: getMediaType(request) };
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
