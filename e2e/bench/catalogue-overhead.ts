import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { repositoryRoot } from '../start-knowhow.ts';

/**
 * Tokens of a skill in the catalogue beyond those of its name and description, counted by an independent
 * tokenizer.
 *
 * @param skills a folder whose texts contain no characters that need escaping
 */
export async function catalogueOverhead(skills: string): Promise<number> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [join(repositoryRoot, 'server/bin/knowhow.mjs'), 'to-prompt', skills],
    { maxBuffer: 2 ** 26 },
  );
  const texts = [...stdout.matchAll(/<(?:name|description)>(.*?)<\//gs)].map(
    ([, text = '']) => text,
  );
  const own = texts.reduce((sum, text) => sum + encode(text).length, 0);
  return (encode(stdout.trim()).length - own) / (texts.length / 2);
}
