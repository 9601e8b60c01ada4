import type { FileChange, Hunk } from '@knowhow/shared/skills/file-changes';
import { structuredPatch } from 'diff';
import type { PackedFile } from './packed-file.ts';
import { createTimeBudget, maxChangedLines, textOf } from './text-of.ts';

const contextLines = 3;

/** The differences between two states of a folder, by path, without unchanged files. */
export function compareFiles(
  before: readonly PackedFile[],
  after: readonly PackedFile[],
): FileChange[] {
  const compare = createFileComparer();
  return findChangedFiles(before, after).map(({ path, ...states }) => compare(path, states));
}

/** The files that differ between two states of a folder, by path. */
export function findChangedFiles(
  before: readonly PackedFile[],
  after: readonly PackedFile[],
): ChangedFile[] {
  const old = new Map(before.map((file) => [file.path, file]));
  const now = new Map(after.map((file) => [file.path, file]));
  const paths = [...new Set([...old.keys(), ...now.keys()])].sort();
  return paths
    .map((path) => ({ path, old: old.get(path), now: now.get(path) }))
    .filter((states) => !isUnchanged(states));
}

/**
 * Returns a function that describes how one file differs. All its calls share the time limit:
 * afterwards, files are named without their differences.
 */
export function createFileComparer(): (path: string, states: States) => FileChange {
  const withBudget = createTimeBudget();
  return (path, states) => withBudget((timeout) => changeOf(path, states, timeout));
}

function isUnchanged({ old, now }: States): boolean {
  return (
    old !== undefined &&
    now !== undefined &&
    old.executable === now.executable &&
    Buffer.compare(old.bytes, now.bytes) === 0
  );
}

interface States {
  old: PackedFile | undefined;
  now: PackedFile | undefined;
}

interface ChangedFile extends States {
  path: string;
}

function changeOf(path: string, states: States, timeout: number): FileChange {
  const { old, now } = states;
  const isMode = old && now && old.executable !== now.executable;
  const hunks = hunksOf(states, timeout);
  return {
    path,
    change: old ? (now ? 'changed' : 'removed') : 'added',
    ...(old ? { bytesBefore: old.bytes.length } : {}),
    ...(now ? { bytesAfter: now.bytes.length } : {}),
    ...(isMode ? { executable: now.executable } : {}),
    ...(hunks ? { hunks } : {}),
  };
}

function hunksOf({ old, now }: States, timeout: number): Hunk[] | undefined {
  if (timeout <= 0) {
    return undefined;
  }
  const before = textOf(old);
  const after = textOf(now);
  if (before === undefined || after === undefined) {
    return undefined;
  }
  if (before === '' || after === '') {
    return wholeFile(before, after);
  }
  const options = { context: contextLines, timeout, maxEditLength: maxChangedLines };
  return structuredPatch('', '', before, after, undefined, undefined, options)?.hunks;
}

/** The hunk of a text that is new or gone. The library takes quadratic time for it. */
function wholeFile(before: string, after: string): Hunk[] {
  const [sign, text] = after === '' ? ['-', before] : ['+', after];
  if (text === '') {
    return [];
  }
  const lines = text.replace(/\n$/, '').split('\n');
  const count = (isSide: boolean) => (isSide ? lines.length : 0);
  return [
    {
      oldStart: 1,
      oldLines: count(sign === '-'),
      newStart: 1,
      newLines: count(sign === '+'),
      lines: [
        ...lines.map((line) => sign + line),
        ...(text.endsWith('\n') ? [] : ['\\ No newline at end of file']),
      ],
    },
  ];
}
