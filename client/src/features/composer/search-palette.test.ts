import { describe, expect, it } from 'vitest';
import { arrangePalette } from './arrange-palette.ts';
import { paletteEntries } from './palette-entry.ts';
import { searchPalette } from './search-palette.ts';

const skill = (name: string, description: string, tags: string[] = [], category?: string) => ({
  category,
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
  {
    language: 'en',
    yours: 'Yours',
    deprecated: () => 'Deprecated',
  },
);
const none = { favourites: new Set<string>(), recent: new Set<string>() };
const wanted = (query: string) => ({ query, isRanked: false, forgives: true });
/** The rows under each heading. */
const shown = (query: string, own = none, some = entries, more = 0) =>
  arrangePalette({ entries: some, own, more }, wanted(query)).map(
    ({ kind, name, total, matches }) => [
      ...[name || kind, total],
      matches.map(({ entry }) => entry.title),
    ],
  );
const titles = (query: string, some = entries) =>
  arrangePalette({ entries: some, own: none, more: 0 }, wanted(query)).flatMap(({ matches }) =>
    matches.map(({ entry }) => entry.title),
  );

describe('arrangePalette', () => {
  it('lists favourites first, then recently used entries, without duplicates', () => {
    const own = {
      favourites: new Set(['prompt-email', 'skill-gone']),
      recent: new Set(['skill-release-notes']),
    };
    expect(shown('', own)).toEqual([
      ['favourites', 1, ['Reply to an email']],
      ['recent', 1, ['release-notes']],
      ['skills', 1, ['meeting-notes']],
      ['prompts', 1, ['Plan a meeting']],
    ]);
    const both = { favourites: none.favourites, recent: new Set(['skill-release-notes']) };
    expect(shown('notes')[0]?.[2]).toEqual(['meeting-notes', 'release-notes']);
    expect(shown('notes', both)[0]?.[2]).toEqual(['release-notes', 'meeting-notes']);
    expect(shown('meeting', both)[0]?.[2]).toEqual(['meeting-notes']);
  });

  it('groups skills by category, unless only the first of very many are loaded', () => {
    const teas = Array.from({ length: 9 }, (_, at) => `tea-${at}`);
    const some = paletteEntries(
      [],
      [
        skill('minutes', 'Short.', [], 'Office'),
        skill('lint', 'Code.', [], 'Code'),
        skill('agenda', 'Long.', [], 'Office'),
        ...teas.map((tea) => skill(tea, 'Hot.')),
      ],
      { language: 'en', yours: 'Yours', deprecated: () => 'Deprecated' },
    );
    expect(shown('', none, some)).toEqual([
      ['Office', 2, ['minutes', 'agenda']],
      ['Code', 1, ['lint']],
      ['otherSkills', 9, teas],
    ]);
    const all = ['minutes', 'lint', 'agenda', ...teas];
    expect(shown('', none, some, 4_988)).toEqual([['skills', 5_000, all]]);
    expect(shown('', none, some.slice(1)).map(([heading]) => heading)).toEqual(['skills']);
    expect(titles('office', some)).toEqual(['minutes', 'agenda']);
  });
});

describe('searchPalette', () => {
  it('offers everything, skills first, without a search', () => {
    expect(titles('')).toEqual([
      'meeting-notes',
      'release-notes',
      'Plan a meeting',
      'Reply to an email',
    ]);
  });

  it('ranks the best match first, and its kind before the other', () => {
    expect(titles('meeting-notes')[0]).toBe('meeting-notes');
    expect(titles('email')).toEqual(['Reply to an email']);
    expect(titles('plan')[0]).toBe('Plan a meeting');
  });

  it('ranks a prefix match before a substring match', () => {
    const some = paletteEntries(
      [],
      [
        skill('a-checklist', 'Before a release.'),
        skill('facility-release-draft', 'Drafts.'),
        skill('release-notes', 'Tells users what is new.'),
      ],
      { language: 'en', yours: 'Yours', deprecated: () => 'Deprecated' },
    );
    expect(titles('release', some)).toEqual([
      'release-notes',
      'facility-release-draft',
      'a-checklist',
    ]);
  });

  it('matches several words, also in hyphenated names', () => {
    expect(titles('release notes')).toEqual(['release-notes']);
    expect(titles('notes dec')).toEqual(['meeting-notes']);
    const [match] = searchPalette(entries, wanted('notes release'));
    expect(match?.titleRanges).toEqual([
      [0, 6],
      [8, 12],
    ]);
  });

  it('tolerates typos, and matches tags', () => {
    expect(titles('meetnig-notes')[0]).toBe('meeting-notes');
    expect(titles('minutes')).toEqual(['meeting-notes']);
  });

  it('returns the matched letters', () => {
    const [match] = searchPalette(entries, wanted('release'));
    expect(match?.titleRanges).toEqual([[0, 6]]);
  });

  it('uses the ranking of a server that knows more about the skills, once it has answered', () => {
    const known = [
      { ...skill('a-list', 'Of tables.'), score: 0.2 },
      { ...skill('deep', 'Says little.'), score: 0.4 },
    ];
    const some = paletteEntries([], known, {
      language: 'en',
      yours: 'Yours',
      deprecated: () => 'Deprecated',
    });
    const names = (isRanked: boolean) =>
      searchPalette(some, { ...wanted('tables'), isRanked }).map(({ entry }) => entry.title);
    expect(names(true)).toEqual(['deep', 'a-list']);
    expect(names(false)).toEqual(['a-list']);
  });

  it('ranks the maximum number of entries within a frame', () => {
    const many = paletteEntries(
      [],
      Array.from({ length: 500 }, (_, at) => skill(`skill-${at}`, 'Does it. '.repeat(30))),
      { language: 'en', yours: 'Yours', deprecated: () => 'Deprecated' },
    );
    // The fastest of several runs, because other processes use the machine, too.
    const times = ['s', 'sk', 'ski', 'does it', 'kill', 'skill-4'].map((query) => {
      const start = performance.now();
      arrangePalette(
        { entries: many, own: none, more: 4_500 },
        { ...wanted(query), forgives: false },
      );
      return performance.now() - start;
    });
    expect(Math.min(...times)).toBeLessThan(8);
  });

  it('shows a skill in the language of the user, and finds it in every language', () => {
    const notes = {
      ...skill('meeting-notes', 'Turns notes into decisions.'),
      translations: {
        title: { de: 'Protokolle' },
        description: { de: 'Macht aus Notizen Beschlüsse.', fr: 'Rédige le compte rendu.' },
      },
    };
    const some = paletteEntries([], [notes], {
      language: 'de',
      yours: 'Eigener',
      deprecated: () => 'Veraltet',
    });
    expect(some).toMatchObject([
      {
        title: 'meeting-notes',
        hint: 'Protokolle',
        description: 'Macht aus Notizen Beschlüsse.',
      },
    ]);
    for (const query of ['protokolle', 'beschlüsse', 'compte rendu', 'decisions', 'meeting']) {
      expect(searchPalette(some, wanted(query))).toHaveLength(1);
    }
  });

  it('matches very long words exactly', () => {
    const long = 'Turns notes into decisions. '.repeat(3);
    const some = paletteEntries([], [skill('notes', long)], {
      language: 'en',
      yours: 'Yours',
      deprecated: () => 'Deprecated',
    });
    expect(searchPalette(some, wanted(long.trim().toUpperCase()))).toMatchObject([
      { entry: { title: 'notes' } },
    ]);
  });
});
