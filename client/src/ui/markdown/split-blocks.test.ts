import { describe, expect, it } from 'vitest';
import { splitBlocks } from './split-blocks.ts';

describe('splitBlocks', () => {
  it('cuts at blank lines between paragraphs, headings and lists', () => {
    expect(splitBlocks('# Title\n\nOne\ntwo\n\n- a\n- b\n\nEnd')).toEqual([
      '# Title\n',
      'One\ntwo\n',
      '- a\n- b\n',
      'End',
    ]);
  });

  it('gives the text again when joined', () => {
    const text = 'a\n\n\nb\n\n```js\nx\n\ny\n```\n\n1. c\n\n   d\n\n2. e\n';
    expect(splitBlocks(text).join('\n')).toBe(text);
  });

  it('keeps a code block whole, blank lines and shorter fences included', () => {
    const code = '````md\n```\n\ntext\n\n```\n````';
    expect(splitBlocks(`${code}\n\nafter`)).toEqual([`${code}\n`, 'after']);
  });

  it('keeps the rest together while a fence is open', () => {
    expect(splitBlocks('~~~\na\n\nb\n\nc')).toEqual(['~~~\na\n\nb\n\nc']);
  });

  it('keeps a loose list and its indented paragraphs together', () => {
    const list = '1. a\n\n   more\n\n2. b\n\n   ```\n\n   code\n   ```';
    expect(splitBlocks(`${list}\n\nafter`)).toEqual([`${list}\n`, 'after']);
  });

  it('keeps a list together that follows its introduction at once', () => {
    expect(splitBlocks('Intro:\n- a\n\n- b\n\nafter')).toEqual(['Intro:\n- a\n\n- b\n', 'after']);
  });

  it('does not cut a text with link or footnote definitions', () => {
    const text = 'See [this] and that[^1].\n\n[this]: https://example.org\n\n[^1]: note';
    expect(splitBlocks(text)).toEqual([text]);
  });

  it('makes one block of all that comes after very many', () => {
    const text = 'a\n\n'.repeat(50_000);
    const blocks = splitBlocks(text);
    expect(blocks).toHaveLength(2_000);
    expect(blocks.join('\n')).toBe(text);
  });
});
