import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { problem } from '@knowhow/shared/problem';
import type { Response } from 'express';
import { errorCode } from '../lib/error-code.ts';
import { detectMediaType } from '../lib/media-type.ts';

const headBytes = 4096;
const disconnectCodes: ReadonlySet<string> = new Set([
  'ERR_STREAM_PREMATURE_CLOSE',
  'ECONNRESET',
  'EPIPE',
]);

/** A file on disk or in an archive. */
interface SentFile {
  /** Holds the current file open, whatever happens to its path. */
  hold(): Promise<HeldFile>;
}

interface HeldFile {
  /** Size in bytes. */
  size: number;
  /** The first bytes. */
  head(length: number): Promise<Buffer>;
  /** The content, unless it is empty. */
  stream(): Readable;
  close(): Promise<void>;
}

/**
 * Sends text as plain text, images inline, and anything else as an attachment: nothing active. A file that
 * cannot be read is a problem before the first byte. After it, the connection is closed, so that clients do
 * not mistake a truncated file for a complete one.
 */
export async function sendFile(response: Response, path: string, file: SentFile): Promise<void> {
  const handle = await file.hold().catch((error: unknown) => {
    throw unreadable(path, error);
  });
  try {
    await setHeaders(response, path, handle).catch((error: unknown) => {
      throw unreadable(path, error);
    });
    await sendBytes(response, handle);
  } finally {
    await handle.close();
  }
}

/** Sets the headers. */
async function setHeaders(response: Response, path: string, handle: HeldFile): Promise<void> {
  const { kind, type } = detectMediaType(path, await handle.head(headBytes));
  response.set({
    'Content-Type': type,
    'Content-Length': String(handle.size),
    'Cache-Control': 'private, no-cache',
    'Content-Security-Policy': "default-src 'none'; sandbox",
  });
  if (kind === 'binary') {
    response.attachment(path.split('/').at(-1));
    response.set('Content-Type', type);
  }
}

async function sendBytes(response: Response, handle: HeldFile): Promise<void> {
  if (handle.size === 0 || response.req.method === 'HEAD') {
    response.end();
    return;
  }
  await sendStream(response, handle.stream(), handle.size);
}

/** Sends a stream, such as an archive that is generated on the fly. */
export async function sendStream(
  response: Response,
  stream: Readable,
  size?: number,
): Promise<void> {
  const { req: request } = response;
  if (request.method === 'HEAD') {
    stream.destroy();
    response.end();
    return;
  }
  try {
    await pipeline(stream, (chunks) => checkSize(chunks, size), response);
  } catch (error) {
    // A disconnected client is not an error.
    if (!disconnectCodes.has(errorCode(error) ?? '')) {
      throw error;
    }
  }
}

async function* checkSize(chunks: AsyncIterable<Buffer>, size: number | undefined) {
  let sent = 0;
  for await (const chunk of chunks) {
    sent += chunk.length;
    yield chunk;
  }
  if (size !== undefined && sent < size) {
    throw new Error(`The file was truncated while it was sent: ${sent} of ${size} bytes.`);
  }
}

function unreadable(path: string, cause: unknown) {
  const code = errorCode(cause);
  return code === undefined
    ? cause
    : problem('not-found', `The file '${path}' cannot be read (${code}). Check it on the disk.`, {
        cause,
      });
}

/** Sends a generated archive as an attachment. */
export function sendArchive(response: Response, name: string, bytes: Buffer): void {
  response.attachment(name);
  response.set({ 'Content-Length': String(bytes.length), 'Cache-Control': 'private, no-store' });
  response.end(bytes);
}

/** Sends a conversation's file: images inline, anything else as an attachment, whatever type it claims. */
export function sendConversationFile(
  response: Response,
  { name, bytes }: { name: string; bytes: Buffer },
): void {
  const { kind, type } = detectMediaType(name, bytes.subarray(0, headBytes));
  if (kind !== 'picture') {
    response.attachment(name.split('/').at(-1));
  }
  response.removeHeader('Set-Cookie');
  response.set({
    'Content-Type': type,
    'Content-Length': String(bytes.length),
    'Cache-Control': 'private, no-cache',
    'Content-Security-Policy': "default-src 'none'; sandbox",
  });
  response.end(bytes);
}
