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

  it('forgives a slip of the finger, and looks at tags', () => {
    expect(titles('meetnig-notes')[0]).toBe('meeting-notes');
    expect(titles('minutes')).toEqual(['meeting-notes']);
  });

  it('tells which letters matched', () => {
    const [match] = searchPalette(Fuse, entries, 'release');
    expect(match?.titleRanges).toEqual([[0, 6]]);
  });
});
