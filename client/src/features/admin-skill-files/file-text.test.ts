import { afterEach, describe, expect, it, vi } from 'vitest';
import { lineBreakOf, readFileText } from './file-text.ts';

const bytes = (...all: number[]) => {
  vi.stubGlobal('fetch', async () => new Response(new Uint8Array(all)));
  return readFileText('pdf', 'a.txt');
};

afterEach(() => vi.unstubAllGlobals());

describe('the text of a file', () => {
  it('is every byte of it, a byte order mark and returns as well', async () => {
    expect(await bytes(0xef, 0xbb, 0xbf, 0x61, 0x0d, 0x0a)).toBe('\uFEFFa\r\n');
  });

  it('is none where the bytes are no UTF-8, so that they are not lost by saving', async () => {
    expect(await bytes(0x61, 0xe4, 0x62)).toBeUndefined();
  });
});

describe('the end of a line', () => {
  it.each([
    ['', '\n'],
    ['a\nb', '\n'],
    ['a\r\nb\r\n', '\r\n'],
    ['a\r\nb\n', '\n'],
    ['\na\r\n', '\n'],
    ['a\rb', '\n'],
  ])('of %j is %j', (text, end) => {
    expect(lineBreakOf(text)).toBe(end);
  });
});
