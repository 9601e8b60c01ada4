import { expect, it } from 'vitest';
import { findCompareUrl } from './compare-url.ts';

it.each([
  ['https://github.com/a/b.git', undefined, 'https://github.com/a/b/compare/knowhow/x-1?expand=1'],
  [
    'ssh://git@github.com/a/b.git',
    'main',
    'https://github.com/a/b/compare/main...knowhow/x-1?expand=1',
  ],
  [
    'https://gitlab.example.com:8443/a/b/c',
    undefined,
    'https://gitlab.example.com:8443/a/b/c/-/merge_requests/new?merge_request%5Bsource_branch%5D=knowhow%2Fx-1',
  ],
  ['http://gitea.local:3000/a/b', 'dev', 'http://gitea.local:3000/a/b/compare/dev...knowhow/x-1'],
  ['https://codeberg.org/a/b', 'dev', 'https://codeberg.org/a/b/compare/dev...knowhow/x-1'],
  [
    'https://bitbucket.org/a/b',
    undefined,
    'https://bitbucket.org/a/b/pull-requests/new?source=knowhow%2Fx-1',
  ],
  ['https://git.example.com/a/b', undefined, undefined],
  ['https://notgithub.com/a/b', undefined, undefined],
])('names the page that compares a branch of %s', (url, base, expected) => {
  expect(findCompareUrl(new URL(url), 'knowhow/x-1', base)).toBe(expected);
});
