import { expect, test } from 'vitest';
import { findPathIssue } from './file-path-rules.ts';

test.each([
  ['', 'path-empty'],
  ['a'.repeat(257), 'path-too-long'],
  ['a\0.md', 'path-control-character'],
  ['a\nb.md', 'path-control-character'],
  ['half-\ud83d.md', 'path-control-character'],
  ['references\\forms.md', 'path-backslash'],
  ['/etc/passwd', 'path-absolute'],
  ['C:/windows', 'path-absolute'],
  ['c:forms.md', 'path-absolute'],
  ['..', 'path-outside'],
  ['references/../../x', 'path-outside'],
  ['references//forms.md', 'path-empty-name'],
  ['references/', 'path-empty-name'],
  ['./SKILL.md', 'path-empty-name'],
  ['references/forms.', 'path-trailing'],
  ['references /forms.md', 'path-trailing'],
  ['con', 'path-reserved-name'],
  ['references/NUL.tar.gz', 'path-reserved-name'],
  ['Com1 .txt', 'path-reserved-name'],
  ['lpt²', 'path-reserved-name'],
  [`${'ä'.repeat(128)}.md`, 'path-name-too-long'],
])('rejects %j as %s', (path, code) => {
  expect(findPathIssue(path)).toMatchObject({ code, message: expect.stringMatching(/\.$/) });
});

test.each([
  'SKILL.md',
  'references/forms.md',
  '.env.example',
  '..hidden',
  'über uns/日本語 👩‍💻.md',
  'console.md',
  'com10',
  'part: one.md',
  'a'.repeat(255),
])('accepts %j', (path) => {
  expect(findPathIssue(path)).toBeUndefined();
});
