import { expect, test } from 'vitest';
import { parseGitAddress } from './git-address.ts';

/** Repository, ref, and path, or what follows in a link. */
function parts(address: string, choice?: Parameters<typeof parseGitAddress>[1]) {
  const { url, ref, path, refAndPath } = parseGitAddress(address, choice);
  return [url.href, ref, refAndPath?.join('/') ?? path];
}

test.each([
  ['anthropics/skills', 'https://github.com/anthropics/skills', ''],
  ['github.com/anthropics/skills/', 'https://github.com/anthropics/skills', ''],
  ['https://github.com/a/b.git', 'https://github.com/a/b.git', ''],
  ['https://github.com/a/b?tab=readme#top', 'https://github.com/a/b', ''],
  ['https://github.com/a/b/tree/main/skills/pdf', 'https://github.com/a/b', 'main/skills/pdf'],
  ['https://github.com/a/b/blob/main/x/SKILL.md', 'https://github.com/a/b', 'main/x'],
  ['https://raw.githubusercontent.com/a/b/main/x/SKILL.md', 'https://github.com/a/b', 'main/x'],
  ['https://raw.githubusercontent.com/a/b/refs/heads/m/SKILL.md', 'https://github.com/a/b', 'm'],
  ['https://gitlab.com/a/sub/b/-/tree/main/x%20y', 'https://gitlab.com/a/sub/b', 'main/x y'],
  ['https://gitlab.example.com/a/b/-/blob/v1/SKILL.md', 'https://gitlab.example.com/a/b', 'v1'],
  ['https://codeberg.org/a/b/src/branch/main/x', 'https://codeberg.org/a/b', 'main/x'],
  ['https://git.example.com/a/b/src/tag/v1/x', 'https://git.example.com/a/b', 'v1/x'],
  ['https://bitbucket.org/a/b/src/main/x/', 'https://bitbucket.org/a/b', 'main/x'],
  ['https://git.example.com/deep/down/here.git', 'https://git.example.com/deep/down/here.git', ''],
  [
    'https://dev.azure.com/org/project/_git/repo',
    'https://dev.azure.com/org/project/_git/repo',
    '',
  ],
  ['http://10.0.0.7:3000/a/b', 'http://10.0.0.7:3000/a/b', ''],
])('reads %s', (address, url, rest) => {
  expect(parts(address)).toEqual([url, undefined, rest]);
});

test.each([
  ['git@git.example.com:owner/repo.git', 'ssh://git@git.example.com/owner/repo.git'],
  ['ssh://git@GIT.example.com:22/owner/repo', 'ssh://git@git.example.com/owner/repo'],
  ['ssh://ann@git.example.com:2222/~/repo.git', 'ssh://ann@git.example.com:2222/~/repo.git'],
])('reads %s of a source', (address, url) => {
  expect(parts(address, { withSsh: true })).toEqual([url, undefined, '']);
});

test('a given ref and folder take precedence over those of a link', () => {
  const link = 'https://github.com/a/b/tree/main/skills';
  expect(parts(link, { ref: 'v1' })).toEqual(['https://github.com/a/b', 'v1', '']);
  expect(parts(link, { ref: 'v1', path: '/x/SKILL.md' })).toEqual([
    ...['https://github.com/a/b', 'v1'],
    'x',
  ]);
});
