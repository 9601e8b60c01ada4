import { expect, inject, test } from 'vitest';
import { tarBytes } from '../../../testing/raw-tar.ts';
import { seededRandom } from '../../../testing/seeded-random.ts';
import { packTar } from './pack-tar.ts';
import { readWorkFolder } from './read-work-folder.ts';
import { outputLimits } from './run-limits.ts';

/** Reads an archive in pieces; undefined if the reader gave up. */
function read(bytes: Uint8Array, piece = bytes.length) {
  const reader = readWorkFolder(outputLimits);
  for (let at = 0; at < bytes.length; at += piece) {
    if (!reader.push(bytes.subarray(at, at + piece))) {
      return undefined;
    }
  }
  return reader.end();
}

const archive = tarBytes([
  { path: './a.txt', content: 'first' },
  { path: './folder/', type: 'Directory' },
  { path: './folder/b.bin', content: 'x'.repeat(1500) },
  { path: './link', type: 'SymbolicLink', linkpath: '/etc/passwd' },
  { path: './empty', content: '' },
]);

test.each([1, 7, 511, 512, 513, 4096])('reads an archive in chunks of %i bytes', (piece) => {
  const folder = read(archive, piece);
  expect(folder?.files.map(({ path, bytes }) => [path, bytes.length])).toEqual([
    ['a.txt', 5],
    ['folder/b.bin', 1500],
    ['empty', 0],
  ]);
  expect(folder?.leftOut).toEqual([{ path: 'link', why: 'kind' }]);
});

test.each([
  '../out',
  '/etc/cron.d/x',
  'a/../../b',
  'C:\\x',
  'a//b',
  '.ssh/keys',
  '-rf',
  'a\u202eb',
  'a\u0007b',
])('rejects the file name %j', (path) => {
  const folder = read(tarBytes([{ path, content: 'x' }]));
  expect(folder?.files ?? []).toEqual([]);
});

test('keeps the first of two files with equivalent names', () => {
  const folder = read(
    tarBytes([
      { path: 'A.txt', content: '1' },
      { path: 'a.txt', content: '2' },
      { path: 'caf\u00e9', content: '3' },
      { path: 'cafe\u0301', content: '4' },
    ]),
  );
  expect(folder?.files.map(({ bytes }) => Buffer.from(bytes).toString())).toEqual(['1', '3']);
  expect(folder?.leftOut.filter(({ why }) => why === 'name')).toHaveLength(2);
});

test('stops reading an invalid or endless archive', () => {
  expect(read(Buffer.alloc(1024, 'x'))).toBeUndefined();
  const wrongSum = Buffer.from(archive);
  wrongSum[0] = 65;
  expect(read(wrongSum)).toBeUndefined();
  const reader = readWorkFolder(outputLimits);
  reader.push(tarBytes([{ path: 'holes', size: 2 ** 33 - 1 }]).subarray(0, 512));
  const zeros = Buffer.alloc(2 ** 24);
  let pieces = 0;
  while (reader.push(zeros)) {
    pieces += 1;
  }
  expect(pieces).toBeLessThan(40);
  expect(reader.end()).toEqual({ files: [], leftOut: [{ path: 'holes', why: 'too large' }] });
});

test('returns only files with safe names within the limits, whatever the input', () => {
  const random = seededRandom(inject('seed'));
  for (let round = 0; round < 300; round += 1) {
    const bytes = Buffer.from(archive);
    for (let change = 0; change < 1 + random() * 8; change += 1) {
      bytes[Math.floor(random() * bytes.length)] = Math.floor(random() * 256);
    }
    const cut = random() < 0.3 ? Math.floor(random() * bytes.length) : bytes.length;
    const folder = read(bytes.subarray(0, cut), 1 + Math.floor(random() * 900));
    expect(folder?.files.every(({ path }) => /^[^/.\\-][^\\]*$/.test(path)) ?? true).toBe(true);
  }
});

test('keeps files whose names are too long for a plain header', () => {
  const long = `${'a'.repeat(80)}/${'b'.repeat(80)}`;
  const packed = packTar([
    { path: 'short', kind: 'file', bytes: Buffer.from('x') },
    { path: long, kind: 'file', bytes: Buffer.from('y') },
  ]);
  expect(read(packed)?.files.map(({ path }) => path)).toEqual(['short', long]);
});
