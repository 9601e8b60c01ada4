import { createReadStream } from 'node:fs';
import { maxSkillUpload } from '@knowhow/shared/skills/skill-archives';
import { notReadable } from '../lib/not-readable.ts';

/** The bytes of an archive; of one that is too large no more than shows that it is. */
export async function readStart(file: string): Promise<Buffer> {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of createReadStream(file, { end: maxSkillUpload })) {
      chunks.push(chunk as Buffer);
    }
  } catch (error) {
    throw notReadable(error, file);
  }
  return Buffer.concat(chunks);
}
