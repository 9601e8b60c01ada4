import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Folders that hold what people read: code, guides, and the shipped skills and apps. */
const folders = [
  'server/src',
  'server/bin',
  'client/src',
  'shared/src',
  'packages',
  'locales/en',
  'e2e',
  'docs',
  'contents',
];
const files = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', '.env.example'];
const isText = /\.(?:css|json|md|mjs|ts|tsx)$/;
/** This file names the patterns; the German texts are not English. */
const exceptions = /plain-english\.test\.ts$|(?:^|[/-])de\.json$/;

/** Patterns that a native-speaking engineer would not write, with an example of the alternative. */
const patterns: [pattern: RegExp, instead: string][] = [
  [/\b(?:whoever|Whoever)\b/, 'the sender, the owner, anyone who …'],
  [/\b(?:somebody|Somebody)\b/, 'a user, another administrator'],
  [/\b(?:goes|go) on\b(?! to\b)/, 'continues'],
  [/\bputs? away\b/, 'archives'],
  [/\blooks after\b/, 'administers'],
  [/\banew\b/, 'again'],
  [/\bof before\b(?![.?(])/, 'previous'],
  [/^\s*(?:\/\*\*|\*|\/\/) (?:Whose|Nobody|As many|So many|Else)\b/, 'a subject, then a verb'],
];

function textsIn(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((path) => `${folder}/${path.replaceAll('\\', '/')}`)
    .filter(
      (path) => isText.test(path) && !/(?:^|\/)(?:dist|dist-types|node_modules)\//.test(path),
    );
}

test.each(patterns)('nothing says %s', (pattern, instead) => {
  const found = [...files, ...folders.flatMap(textsIn)]
    .filter((path) => !exceptions.test(path))
    .flatMap((path) =>
      readFileSync(join(root, path), 'utf8')
        .split('\n')
        .flatMap((line, at) => (pattern.test(line) ? [`${path}:${at + 1}: ${line.trim()}`] : [])),
    );
  expect(found, `write for example: ${instead}`).toEqual([]);
});
