import { createReadStream } from 'node:fs';
import { maxSkillUpload } from '@knowhow/shared/skills/skill-archives';
import { toReadProblem } from '../platform/lib/read-problem.ts';

/** Reads an archive; truncated just above the limit, so that it is recognized as too large. */
export async function readBounded(file: string): Promise<Buffer> {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of createReadStream(file, { end: maxSkillUpload })) {
      chunks.push(chunk as Buffer);
    }
  } catch (error) {
    throw toReadProblem(error, file);
  }
  return Buffer.concat(chunks);
}
