import { expect, it } from 'vitest';
import { createTextMerger } from './merge-texts.ts';

const file = (text: string | Uint8Array) => ({
  path: 'a.md',
  executable: false,
  bytes: Buffer.from(text),
});

function merge(base: string, ours: string, theirs: string): string | undefined {
  const merged = createTextMerger()({ base: file(base), ours: file(ours), theirs: file(theirs) });
  return merged && Buffer.from(merged).toString();
}

const base = 'one\ntwo\nthree\nfour\nfive\n';

it('takes changes of different lines from both sides', () => {
  expect(merge(base, 'ONE\ntwo\nthree\nfour\nfive\n', 'one\ntwo\nthree\nfour\nFIVE\nsix\n')).toBe(
    'ONE\ntwo\nthree\nfour\nFIVE\nsix\n',
  );
  expect(merge(base, 'one\nthree\nfour\nfive\n', 'one\ntwo\nthree\nfour\n4b\nfive\n')).toBe(
    'one\nthree\nfour\n4b\nfive\n',
  );
});

it('takes a change that both sides made once', () => {
  expect(merge(base, 'ONE\ntwo\nthree\nfour\nfive\n', 'ONE\ntwo\nthree\nfour\nFIVE\n')).toBe(
    'ONE\ntwo\nthree\nfour\nFIVE\n',
  );
});

it('does not merge changes of the same or adjacent lines', () => {
  expect(merge(base, 'ONE\ntwo\nthree\nfour\nfive\n', 'Uno\ntwo\nthree\nfour\nfive\n')).toBe(
    undefined,
  );
  expect(merge(base, 'ONE\ntwo\nthree\nfour\nfive\n', 'one\nTWO\nthree\nfour\nfive\n')).toBe(
    undefined,
  );
  expect(merge(base, `${base}six\n`, `${base}SIX\n`)).toBe(undefined);
});

it('keeps line breaks and the end of the text', () => {
  expect(merge('a\r\nb\r\nc\r\nd', 'A\r\nb\r\nc\r\nd', 'a\r\nb\r\nc\r\nd\n')).toBe(
    'A\r\nb\r\nc\r\nd\n',
  );
  expect(merge('a\n\n\nb\n', '\n\nb\n', 'a\n\n\nB\n')).toBe('\n\nB\n');
  expect(merge('', '', '')).toBe('');
  expect(merge('a\n', '', 'a\n')).toBe('');
});

it('does not merge binary and long files', () => {
  const merger = createTextMerger();
  const binary = file(new Uint8Array([0, 1]));
  expect(merger({ base: binary, ours: binary, theirs: binary })).toBe(undefined);
  const long = 'x\n'.repeat(30_000);
  expect(merge(long, `y\n${long}`, `${long}y\n`)).toBe(undefined);
});

it('gives up in time on texts that differ completely', () => {
  const text = (seed: number) =>
    Array.from({ length: 15_000 }, (_, at) => `${(at * seed) % 7919}`).join('\n');
  const begin = performance.now();
  expect(merge(text(1), text(3), text(5))).toBe(undefined);
  expect(performance.now() - begin).toBeLessThan(1000);
});
