import { describe, expect, it } from 'vitest';
import { validatePath } from './validate-path.ts';

const files = [{ path: 'SKILL.md' }, { path: 'references/Größe.md' }];

describe('a path', () => {
  it.each(['a.md', 'references/b.md', 'new/deep/folder/c', '.hidden', 'a b.txt'])(
    'may be %s',
    (path) => {
      expect(validatePath(path, files)).toBeUndefined();
    },
  );

  it.each([
    ['', 'empty'],
    ['a'.repeat(257), 'long'],
    ['a\\b.md', 'slash'],
    ['/etc/passwd', 'absolute'],
    ['C:/a.md', 'absolute'],
    ['references/', 'folder'],
    ['../a.md', 'names'],
    ['a//b.md', 'names'],
    ['./a.md', 'names'],
    ['a./b.md', 'names'],
    ['skill.MD', 'taken'],
    ['references/größe.md', 'taken'],
    ['References', 'isFolder'],
    ['SKILL.md/a.md', 'isFile'],
  ])('may not be %s', (path, fault) => {
    expect(validatePath(path, files)).toBe(`skillFiles.path.${fault}`);
  });
});
