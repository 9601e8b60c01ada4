import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { repositoryRoot } from '../start-knowhow.ts';

/**
 * Tokens of a skill in the catalogue beside those of its name and its description, counted by another tokenizer
 * than ours.
 *
 * @param skills a folder in which no text has a character that is escaped
 */
export async function catalogueOverhead(skills: string): Promise<number> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [join(repositoryRoot, 'server/bin/knowhow.mjs'), 'to-prompt', skills],
    { maxBuffer: 2 ** 26 },
  );
  const said = [...stdout.matchAll(/<(?:name|description)>(.*?)<\//gs)].map(
    ([, text = '']) => text,
  );
  const own = said.reduce((sum, text) => sum + encode(text).length, 0);
  return (encode(stdout.trim()).length - own) / (said.length / 2);
}
