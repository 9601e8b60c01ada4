import { inMebibytes } from '../archives/unpack-limits.ts';
import { gitProblem } from './git-problem.ts';
import type { RunGit } from './run-git.ts';

export function tooManyBytes(maxBytes: number) {
  const text = `The skills have more than ${inMebibytes(maxBytes)} together. Name a folder of the repository.`;
  return gitProblem('too-large', text);
}

interface Options {
  ids: readonly string[];
  /** Larger files are not passed on. */
  maxFileBytes: number;
  /** All files together. */
  maxBytes: number;
  take(at: number, bytes: Uint8Array | undefined): void;
}

const maxHeaderBytes = 256;

/**
 * Reads contents of files in the order of their ids, by `git cat-file --batch`.
 *
 * @throws a problem if they have more than `maxBytes` together
 */
export async function readBatch(run: RunGit, options: Options): Promise<void> {
  const { ids, maxBytes, maxFileBytes, take } = options;
  let at = 0;
  let total = 0;
  let header = '';
  let content: Buffer | undefined;
  /** Bytes of the content that are still expected, with the line break after it. */
  let missing = 0;
  let filled = 0;
  const begin = (line: string) => {
    const [, type, size] = line.split(' ');
    if (type !== 'blob') {
      throw gitProblem('failed', 'The server left out files of the commit. Try again later.');
    }
    const bytes = Number(size);
    missing = bytes + 1;
    filled = 0;
    content = bytes <= maxFileBytes ? Buffer.allocUnsafeSlow(bytes) : undefined;
    total += content ? bytes : 0;
    if (total > maxBytes) {
      throw tooManyBytes(maxBytes);
    }
  };
  await run(['cat-file', '--batch'], {
    input: `${ids.join('\n')}\n`,
    onOutput: (chunk) => {
      let from = 0;
      while (from < chunk.length) {
        if (missing > 0) {
          const part = chunk.subarray(from, from + missing);
          content?.set(part.subarray(0, Math.max(0, content.length - filled)), filled);
          filled += part.length;
          missing -= part.length;
          from += part.length;
          if (missing === 0) {
            take(at, content);
            at += 1;
          }
          continue;
        }
        const end = chunk.indexOf(10, from);
        header += chunk.toString('utf8', from, end < 0 ? chunk.length : end);
        if (header.length > maxHeaderBytes) {
          throw gitProblem('failed', 'git answered unexpectedly.');
        }
        from = end < 0 ? chunk.length : end + 1;
        if (end >= 0) {
          begin(header);
          header = '';
        }
      }
    },
  });
  if (at < ids.length) {
    throw gitProblem('failed', 'The server left out files of the commit. Try again later.');
  }
}
