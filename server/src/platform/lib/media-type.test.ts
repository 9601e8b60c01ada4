import { expect, test } from 'vitest';
import { detectMediaType } from './media-type.ts';

const text = { kind: 'text', type: 'text/plain; charset=utf-8' };
const head = (...bytes: number[]) => Buffer.from(bytes);

test.each([
  ['a.png', head(0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10), { kind: 'picture', type: 'image/png' }],
  ['a.PNG', head(0xff, 0xd8, 0xff, 0xe0), { kind: 'picture', type: 'image/jpeg' }],
  ['a.gif', Buffer.from('GIF89a'), { kind: 'picture', type: 'image/gif' }],
  ['a.webp', Buffer.from('RIFF\x01\x02\x03\nWEBP'), { kind: 'picture', type: 'image/webp' }],
  ['a.png', Buffer.from('version https://git-lfs.github.com/spec/v1\n'), text],
  ['a.png', head(0, 1, 2), { kind: 'binary', type: 'application/octet-stream' }],
  ['a.svg', Buffer.from('<svg/>'), text],
  ['a.txt', head(0xff, 0xd8, 0xff, 0xe0), { kind: 'binary', type: 'application/octet-stream' }],
  ['a.pdf', head(0x25, 0x50, 0x44, 0x46, 0), { kind: 'binary', type: 'application/pdf' }],
  ['a.txt', Buffer.from('ü').subarray(0, 1), text],
  ['constructor', Buffer.from(''), text],
])('%s starting with %o', (path, bytes, type) => {
  expect(detectMediaType(path, bytes)).toEqual(type);
});
