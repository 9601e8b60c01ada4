import { describe, expect, it } from 'vitest';
import { hasDefinitions, splitBlocks } from './split-blocks.ts';

describe('splitBlocks', () => {
  it('splits at blank lines between paragraphs, headings and lists', () => {
    expect(splitBlocks('# Title\n\nOne\ntwo\n\n- a\n- b\n\nEnd')).toEqual([
      '# Title\n',
      'One\ntwo\n',
      '- a\n- b\n',
      'End',
    ]);
  });

  it('yields the original text when joined', () => {
    const text = 'a\n\n\nb\n\n```js\nx\n\ny\n```\n\n1. c\n\n   d\n\n2. e\n';
    expect(splitBlocks(text).join('\n')).toBe(text);
  });

  it('keeps a code block whole, including blank lines and shorter fences', () => {
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

  it('keeps a list together with an introduction directly before it', () => {
    expect(splitBlocks('Intro:\n- a\n\n- b\n\nafter')).toEqual(['Intro:\n- a\n\n- b\n', 'after']);
  });

  it('keeps collapsible sections together, including nested ones', () => {
    const fold =
      '<details>\n<summary>A</summary>\n\n<details>\n\nb\n\n</details>\n\nc\n\n</details>';
    expect(splitBlocks(`${fold}\n\nafter`)).toEqual([`${fold}\n`, 'after']);
    expect(splitBlocks('<details>\n\nnever\n\nclosed')).toHaveLength(1);
  });

  it.each([
    ['See [this].\n\n[this]: https://example.org', true],
    ['That[^1].\n\n[^1]: note', true],
    ['Plain [1] text: yes', false],
  ])('detects definitions that apply to the whole text: %j', (text, expected) => {
    expect(hasDefinitions(text)).toBe(expected);
  });

  it('merges everything after very many blocks into one', () => {
    const text = 'a\n\n'.repeat(50_000);
    const blocks = splitBlocks(text);
    expect(blocks).toHaveLength(2_000);
    expect(blocks.join('\n')).toBe(text);
  });
});
