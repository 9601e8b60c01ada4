import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { problem } from '@knowhow/shared/problem';
import type { Response } from 'express';
import { errorCode } from '../lib/error-code.ts';
import { mediaTypeOf } from '../lib/media-type.ts';
import type { HeldFile, OpenSkillFile } from '../skill-store/skill-source.ts';

const headBytes = 4096;
const goneCodes: ReadonlySet<string> = new Set([
  'ERR_STREAM_PREMATURE_CLOSE',
  'ECONNRESET',
  'EPIPE',
]);

/**
 * Text as plain text, pictures as such, anything else to be saved: never anything that runs. What cannot
 * be read is a problem before the first byte; after it, the connection ends, so that nobody takes a part
 * for the whole.
 */
export async function sendFile(
  response: Response,
  path: string,
  file: OpenSkillFile,
): Promise<void> {
  const held = await file.hold().catch((error: unknown) => {
    throw unreadable(path, error);
  });
  try {
    await announce(response, path, held).catch((error: unknown) => {
      throw unreadable(path, error);
    });
    await sendBytes(response, held);
  } finally {
    await held.close();
  }
}

/** Sets the headers. */
async function announce(response: Response, path: string, held: HeldFile): Promise<void> {
  const { kind, type } = mediaTypeOf(path, await held.head(headBytes));
  response.set({
    'Content-Type': type,
    'Content-Length': String(held.size),
    'Cache-Control': 'private, no-cache',
    'Content-Security-Policy': "default-src 'none'; sandbox",
  });
  if (kind === 'binary') {
    response.attachment(path.split('/').at(-1));
    response.set('Content-Type', type);
  }
}

async function sendBytes(response: Response, held: HeldFile): Promise<void> {
  if (held.size === 0 || response.req.method === 'HEAD') {
    response.end();
    return;
  }
  await sendStream(response, held.stream(), held.size);
}

/** An archive that is made while it is sent. */
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
    await pipeline(stream, (chunks) => allOf(chunks, size), response);
  } catch (error) {
    // A reader who has gone is nobody's fault.
    if (!goneCodes.has(errorCode(error) ?? '')) {
      throw error;
    }
  }
}

async function* allOf(chunks: AsyncIterable<Buffer>, size: number | undefined) {
  let sent = 0;
  for await (const chunk of chunks) {
    sent += chunk.length;
    yield chunk;
  }
  if (size !== undefined && sent < size) {
    throw new Error(`The file became shorter while it was sent: ${sent} of ${size} bytes.`);
  }
}

function unreadable(path: string, cause: unknown) {
  const code = errorCode(cause);
  return code === undefined
    ? cause
    : problem('not-found', `The file '${path}' cannot be read (${code}). Look at it on the disk.`, {
        cause,
      });
}

/** An archive of our own making, to be saved under a name. */
export function sendArchive(response: Response, name: string, bytes: Buffer): void {
  response.attachment(name);
  response.set({ 'Content-Length': String(bytes.length), 'Cache-Control': 'private, no-store' });
  response.end(bytes);
}

/** A file of a conversation: a picture to be shown, all else to be saved, whatever it says it is. */
export function sendMade(
  response: Response,
  { name, bytes }: { name: string; bytes: Buffer },
): void {
  const { kind, type } = mediaTypeOf(name, bytes.subarray(0, headBytes));
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
