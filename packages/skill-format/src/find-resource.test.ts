import { describe, expect, test } from 'vitest';
import { findResource, locateResource, nearestFiles, withoutOwnName } from './find-resource.ts';

describe('a path written by a model', () => {
  test.each([
    ['references/forms.md', 'pdf', 'references/forms.md'],
    ['./references/./forms.md', 'pdf', 'references/forms.md'],
    ['references//forms.md ', 'pdf', 'references/forms.md'],
    ['references\\forms.md', 'pdf', 'references/forms.md'],
    ['references%2Fforms%20two.md', 'pdf', 'references/forms two.md'],
    ['100% sure.md', 'pdf', '100% sure.md'],
    ['scripts/../forms.md', 'pdf', 'forms.md'],
    ['skill://pdf/forms.md', 'pdf', 'forms.md'],
    ['SKILL://PDF/forms.md', 'PDF', 'forms.md'],
    ['skill://other/forms.md', 'other', 'forms.md'],
    ['skill://other/../third/forms.md', 'third', 'forms.md'],
    ['../other/references/forms.md', 'other', 'references/forms.md'],
    ['..%5Cother%5Cforms.md', 'other', 'forms.md'],
    ['scripts/../../other/forms.md', 'other', 'forms.md'],
    ['..%252Fother%252Fforms.md', 'pdf', '..%2Fother%2Fforms.md'],
    ['./', 'pdf', ''],
  ])('%s belongs to %s: %s', (written, skill, path) => {
    expect(locateResource(written, 'pdf')).toEqual({ skill, path });
  });

  test.each([
    '../../other/forms.md',
    '..',
    '/etc/passwd',
    '%2Fetc%2Fpasswd',
    '\\\\host\\share',
    'C:\\windows',
    'skill://pdf//etc/passwd',
    'skill://pdf/../../x/y',
    'forms.md\0.png',
    'forms.md%00',
  ])('%j leads out', (written) => {
    expect(locateResource(written, 'pdf')).toBeUndefined();
  });

  test('may begin with the name of its skill', () => {
    expect(withoutOwnName({ skill: 'pdf', path: 'PDF/forms.md' })).toBe('forms.md');
    expect(withoutOwnName({ skill: 'pdf', path: 'pdf-forms.md' })).toBe('pdf-forms.md');
  });
});

describe('the intended file', () => {
  const files = ['FORMS.md', 'a.txt', 'A.txt', 'docs/Über.md', 'guide', 'guide.md', 'notes.MD'];

  test.each([
    ['FORMS.md', 'FORMS.md'],
    ['forms.MD', 'FORMS.md'],
    ['forms', 'FORMS.md'],
    ['Notes', 'notes.MD'],
    ['docs/u\u0308ber', 'docs/Über.md'],
    ['a.txt', 'a.txt'],
    ['guide', 'guide'],
  ])('for %s is %s', (path, file) => {
    expect(findResource(path, files)).toBe(file);
  });

  test.each(['a.TXT', 'Guide', 'FORMS.txt', '', '__proto__'])(
    'for %j is missing or ambiguous',
    (path) => {
      expect(findResource(path, files)).toBeUndefined();
    },
  );
});

describe('the most similar files', () => {
  test('have the same base name or folder, or differ by a few letters', () => {
    const files = ['assets/logo.png', 'docs/format.txt', 'docs/forms/a.md', 'docs/forma.md'];
    expect(nearestFiles('references/FORMAT.md', files)[0]).toBe('docs/format.txt');
    expect(nearestFiles('docs/forms', files)[0]).toBe('docs/forms/a.md');
    expect(nearestFiles('docs/formx.md', files)[0]).toBe('docs/forma.md');
  });

  test('are at most five, for any number of files and length of the path', () => {
    const files = Array.from({ length: 1000 }, (_, index) => `references/${index}.md`);
    expect(nearestFiles('x'.repeat(1_000_000), files)).toHaveLength(5);
  });
});
