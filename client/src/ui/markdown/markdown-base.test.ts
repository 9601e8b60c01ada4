import { describe, expect, it } from 'vitest';
import { relativePath } from './markdown-base.ts';

describe('relativePath', () => {
  it.each([
    ['a file', 'FORMS.md', 'FORMS.md'],
    ['a file in a folder', './references/a%20b.md#top', 'references/a b.md'],
    ['what would leave the folder', '../../etc/passwd', 'etc/passwd'],
    ['another origin', 'https://example.org/a.md', undefined],
    ['a scheme', 'mailto:a@example.org', undefined],
    ['a path of the page', '/admin', undefined],
    ['a heading in the text', '#top', undefined],
    ['a broken escape', 'a%zz.md', undefined],
  ])('resolves %s', (_, address, path) => {
    expect(relativePath(address)).toBe(path);
  });
});
