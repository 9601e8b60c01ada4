import { afterEach, describe, expect, it, vi } from 'vitest';
import { detectLineEnding, readFileText } from './file-text.ts';

const bytes = (...all: number[]) => {
  vi.stubGlobal('fetch', async () => new Response(new Uint8Array(all)));
  return readFileText({ name: 'pdf' }, 'a.txt');
};

afterEach(() => vi.unstubAllGlobals());

describe('the text of a file', () => {
  it('is every byte of it, including byte order mark and carriage returns', async () => {
    expect(await bytes(0xef, 0xbb, 0xbf, 0x61, 0x0d, 0x0a)).toBe('\uFEFFa\r\n');
  });

  it('is undefined for invalid UTF-8, so that saving loses no bytes', async () => {
    expect(await bytes(0x61, 0xe4, 0x62)).toBeUndefined();
  });
});

describe('the line ending', () => {
  it.each([
    ['', '\n'],
    ['a\nb', '\n'],
    ['a\r\nb\r\n', '\r\n'],
    ['a\r\nb\n', '\n'],
    ['\na\r\n', '\n'],
    ['a\rb', '\n'],
  ])('of %j is %j', (text, end) => {
    expect(detectLineEnding(text)).toBe(end);
  });
});
