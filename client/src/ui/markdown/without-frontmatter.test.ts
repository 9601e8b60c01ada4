import { describe, expect, it } from 'vitest';
import { withoutFrontmatter } from './without-frontmatter.ts';

describe('withoutFrontmatter', () => {
  it.each([
    ['cuts it off', '---\nname: a\n---\n\n# Title\n', '# Title\n'],
    ['takes dashes in a value for part of it', '---\nname: a --- b\n---\nText', 'Text'],
    ['leaves a line across the text', '---\nname: a\n---\nOne\n\n---\nTwo', 'One\n\n---\nTwo'],
    ['reads Windows line ends and a byte order mark', '\uFEFF---\r\nname: a\r\n---\r\nHi', 'Hi'],
    ['leaves a text that has none', '# Title\n\n---\n', '# Title\n\n---\n'],
    ['cuts an empty one', '---\n---\nHi', 'Hi'],
    ['leaves one that is never closed', '---\nname: a\nHi', '---\nname: a\nHi'],
  ])('%s', (_, text, body) => {
    expect(withoutFrontmatter(text)).toBe(body);
  });
});
