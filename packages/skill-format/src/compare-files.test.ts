import { fileChangeSchema } from '@knowhow/shared/skills/file-changes';
import { structuredPatch } from 'diff';
import { expect, test } from 'vitest';
import { compareFiles } from './compare-files.ts';
import type { PackedFile } from './packed-file.ts';

const file = (path: string, content: string | number[], executable = false): PackedFile => ({
  path,
  bytes: Buffer.from(content as string),
  executable,
});
const lines = (count: number, text: string) =>
  Array.from({ length: count }, (_, at) => `${text} ${at}\n`).join('');

test('lists added, changed and removed files by path, without unchanged ones', () => {
  const before = [file('same.md', 'x'), file('gone.md', 'old\n'), file('b.md', 'one\ntwo\n')];
  const after = [file('b.md', 'one\n2\n'), file('same.md', 'x'), file('a.md', 'new\n')];
  const changes = compareFiles(before, after);
  expect(changes).toEqual([
    {
      path: 'a.md',
      change: 'added',
      bytesAfter: 4,
      hunks: [{ oldStart: 1, oldLines: 0, newStart: 1, newLines: 1, lines: ['+new'] }],
    },
    {
      path: 'b.md',
      change: 'changed',
      bytesBefore: 8,
      bytesAfter: 6,
      hunks: [
        { oldStart: 1, oldLines: 2, newStart: 1, newLines: 2, lines: [' one', '-two', '+2'] },
      ],
    },
    {
      path: 'gone.md',
      change: 'removed',
      bytesBefore: 4,
      hunks: [{ oldStart: 1, oldLines: 1, newStart: 1, newLines: 0, lines: ['-old'] }],
    },
  ]);
  expect(fileChangeSchema.array().parse(changes)).toEqual(changes);
});

test('creates a hunk for each distant change, with three lines of context', () => {
  const text = lines(40, 'line');
  const [change] = compareFiles(
    [file('a.md', text)],
    [file('a.md', text.replace('line 5\n', '').replace('line 30\n', 'new\n'))],
  );
  expect(change?.hunks?.map(({ oldStart, lines }) => [oldStart, lines.length])).toEqual([
    [3, 7],
    [28, 8],
  ]);
});

test('shows that a final line break was added', () => {
  const [change] = compareFiles([file('a.md', 'one')], [file('a.md', 'one\n')]);
  expect(change?.hunks?.[0]?.lines).toEqual(['-one', '\\ No newline at end of file', '+one']);
});

test('treats a changed executable bit as a change', () => {
  expect(compareFiles([file('a.sh', 'x\n')], [file('a.sh', 'x\n', true)])).toEqual([
    { path: 'a.sh', change: 'changed', bytesBefore: 2, bytesAfter: 2, executable: true, hunks: [] },
  ]);
});

test.each([
  ['zero bytes', [0, 1, 2]],
  ['broken UTF-8', [0xc3, 0x28]],
  ['a long text', 'x'.repeat(256 * 1024 + 1)],
  ['very many lines', '\n'.repeat(20_001)],
])('compares %s by size only', (_, content) => {
  const change = { path: 'a', change: 'changed', bytesBefore: 4, bytesAfter: content.length };
  expect(compareFiles([file('a', 'text')], [file('a', content)])).toEqual([change]);
});

test.each(['a\nb\n', 'a\nb', '\n', 'a', '', 'a\n\n'])(
  'shows all lines of the new or removed text %j',
  (text) => {
    const library = (before: string, after: string) =>
      structuredPatch('', '', before, after, undefined, undefined, { context: 3 })?.hunks;
    const [added] = compareFiles([], [file('a', text)]);
    const [removed] = compareFiles([file('a', text)], []);
    expect([added?.hunks, removed?.hunks]).toEqual([library('', text), library(text, '')]);
  },
);

test('shows a new text completely, but no diff of a text without common lines', () => {
  const changes = compareFiles(
    [file('b.md', lines(3000, 'old'))],
    [file('a.md', lines(3000, 'new')), file('b.md', lines(3000, 'new'))],
  );
  expect(changes.map(({ hunks }) => hunks?.[0]?.newLines)).toEqual([3000, undefined]);
});

test('stops comparing lines after a time limit with a thousand rewritten files', () => {
  const folder = (text: string) =>
    Array.from({ length: 1000 }, (_, at) => file(`${at}.md`, lines(450, text)));
  const changes = compareFiles(folder('old'), folder('new'));
  expect(changes).toHaveLength(1000);
  // The time limit depends on the clock, so a busy machine creates fewer hunks.
  expect(changes.filter(({ hunks }) => hunks !== undefined).length).toBeLessThan(200);
  expect(changes.at(-1)?.hunks).toBeUndefined();
});
