import { once } from 'node:events';
import type { Response } from 'express';
import { mediaTypeOf } from '../skills/media-type.ts';
import type { OpenSkillFile } from '../skills/skill-files.ts';

const headBytes = 4096;

/** Text as plain text, pictures as such, anything else to be saved: never anything that runs. */
export async function sendFile(
  response: Response,
  path: string,
  file: OpenSkillFile,
): Promise<void> {
  const { kind, type } = mediaTypeOf(path, await file.read(0, Math.min(file.size, headBytes)));
  response.set({
    'Content-Type': type,
    'Content-Length': String(file.size),
    'Cache-Control': 'private, no-cache',
    'Content-Security-Policy': "default-src 'none'; sandbox",
  });
  if (kind === 'binary') {
    response.attachment(path.split('/').at(-1));
    response.set('Content-Type', type);
  }
  const stream = file.stream();
  stream.pipe(response);
  await once(response, 'close');
}

/** An archive of our own making, to be saved under a name. */
export function sendArchive(response: Response, name: string, bytes: Buffer): void {
  response.attachment(name);
  response.set({ 'Content-Length': String(bytes.length), 'Cache-Control': 'private, no-store' });
  response.end(bytes);
}
