import Fuse from 'fuse.js';
import { describe, expect, it } from 'vitest';
import { paletteEntries } from './palette-entry.ts';
import { searchPalette } from './search-palette.ts';

const skill = (name: string, description: string, tags: string[] = []) => ({
  name,
  displayName: name,
  description,
  userInvocable: true,
  tags,
  requiresTools: [],
});
const prompt = (id: string, name: string) => ({
  id,
  name: { en: name, de: `${name} (de)` },
  description: '',
  prompt: '',
  variables: [],
});
const entries = paletteEntries(
  [prompt('plan', 'Plan a meeting'), prompt('email', 'Reply to an email')],
  [
    skill('meeting-notes', 'Turns notes into decisions.', ['minutes']),
    skill('release-notes', 'Tells users what is new.'),
    { ...skill('house-style', 'Is for the model alone.'), userInvocable: false },
  ],
  (text) => (typeof text === 'string' ? text : (text.en ?? '')),
);
const titles = (query: string) =>
  searchPalette(Fuse, entries, query).map(({ entry }) => entry.title);

describe('searchPalette', () => {
  it('offers everything, skills first, while nothing is looked for', () => {
    expect(titles('')).toEqual([
      'meeting-notes',
      'release-notes',
      'Plan a meeting',
      'Reply to an email',
    ]);
  });

  it('puts the best match first, and its kind before the other', () => {
    expect(titles('meeting-notes')[0]).toBe('meeting-notes');
    expect(titles('email')).toEqual(['Reply to an email']);
    expect(titles('plan')[0]).toBe('Plan a meeting');
  });

  it('puts a name that begins with what is typed before one that only holds it', () => {
    const some = paletteEntries(
      [],
      [
        skill('a-checklist', 'Before a release.'),
        skill('facility-release-draft', 'Drafts.'),
        skill('release-notes', 'Tells users what is new.'),
      ],
      () => '',
    );
    const found = searchPalette(Fuse, some, 'release').map(({ entry }) => entry.title);
    expect(found).toEqual(['release-notes', 'facility-release-draft', 'a-checklist']);
  });

  it('looks for several words, which a name may join with dashes', () => {
    expect(titles('release notes')).toEqual(['release-notes']);
    expect(titles('notes dec')).toEqual(['meeting-notes']);
    const [match] = searchPalette(Fuse, entries, 'notes release');
    expect(match?.titleRanges).toEqual([
      [0, 6],
      [8, 12],
    ]);
  });

  it('forgives a slip of the finger, and looks at tags', () => {
    expect(titles('meetnig-notes')[0]).toBe('meeting-notes');
    expect(titles('minutes')).toEqual(['meeting-notes']);
  });

  it('says which letters matched', () => {
    const [match] = searchPalette(Fuse, entries, 'release');
    expect(match?.titleRanges).toEqual([[0, 6]]);
  });

  it('gives the first of very many, at once', () => {
    const many = paletteEntries(
      [prompt('plan', 'Plan')],
      Array.from({ length: 10_000 }, (_, index) =>
        skill(`skill-${index}`, 'Does it. '.repeat(100)),
      ),
      (text) => (typeof text === 'string' ? text : (text.en ?? '')),
    );
    expect(searchPalette(Fuse, many, '').map(({ entry }) => entry.title)).toHaveLength(101);
    const start = performance.now();
    expect(searchPalette(Fuse, many, 'SKILL')).toHaveLength(100);
    expect(searchPalette(Fuse, many, 'skill-9999')).toHaveLength(1);
    expect(searchPalette(Fuse, many, 'nothing-'.repeat(200))).toEqual([]);
    expect(performance.now() - start).toBeLessThan(2_000);
  });

  it('takes very long words as they are typed', () => {
    const long = 'Turns notes into decisions. '.repeat(3);
    const some = paletteEntries([], [skill('notes', long)], () => '');
    expect(searchPalette(Fuse, some, long.trim().toUpperCase())).toMatchObject([
      { entry: { title: 'notes' } },
    ]);
  });
});
