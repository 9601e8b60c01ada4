import type { PackedFile } from './packed-file.ts';

/** Longer texts are not compared line by line. */
const maxTextBytes = 256 * 1024;
const maxLines = 20_000;
/** Above this number of changed lines, texts count as completely different. */
export const maxChangedLines = 1000;
/** Time limit for the files of one comparison or merge together, because it blocks the event loop. */
const maxMilliseconds = 100;

/** Runs work with the milliseconds that are left of `maxMilliseconds`; time between its calls does not count. */
export function createTimeBudget(): <Result>(run: (left: number) => Result) => Result {
  let left = maxMilliseconds;
  return (run) => {
    const begin = performance.now();
    try {
      return run(left);
    } finally {
      left -= performance.now() - begin;
    }
  };
}

/** Undefined for a binary or long file; empty for a missing one. */
export function textOf(file: PackedFile | undefined): string | undefined {
  if (!file) {
    return '';
  }
  if (file.bytes.length > maxTextBytes || file.bytes.includes(0)) {
    return undefined;
  }
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(file.bytes);
    return text.split('\n', maxLines + 1).length > maxLines ? undefined : text;
  } catch {
    return undefined;
  }
}
