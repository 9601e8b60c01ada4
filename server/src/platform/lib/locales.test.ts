import { matchLanguage } from '@knowhow/shared/match-language';
import { listPlaceholders } from '@knowhow/shared/skills/named-placeholders';
import { describe, expect, test } from 'vitest';
import { findLanguage, locales } from './locales.ts';

const files: Record<string, object> = import.meta.glob(
  '../../../../locales/*/{server,tools}.json',
  {
    eager: true,
    import: 'default',
  },
);
const folders = Object.keys(
  import.meta.glob('../../../../locales/*/language.json', { eager: true }),
).map((path) => path.split('/').at(-2));

/** All texts by path, such as `export.you`. */
function textsIn(value: object, before = ''): Map<string, unknown> {
  return new Map(
    Object.entries(value).flatMap(([key, part]): [string, unknown][] =>
      typeof part === 'object' && part !== null
        ? [...textsIn(part, `${before}${key}.`)]
        : [[before + key, part]],
    ),
  );
}

const englishOf = (path: string) => textsIn(files[path.replace(/[^/]+(?=\/[^/]+$)/, 'en')] ?? {});

test('every language has texts of the server, English first', () => {
  expect([...locales.keys()].toSorted()).toEqual(folders.toSorted());
  expect([...locales.keys()][0]).toBe('en');
});

describe.each(Object.entries(files))('%s', (path, file) => {
  const texts = textsIn(file);
  const english = englishOf(path);

  test('has the keys of the English file', () => {
    expect([...texts.keys()]).toEqual([...english.keys()]);
  });

  test('has no empty texts', () => {
    expect([...texts].filter(([, text]) => typeof text !== 'string' || !text.trim())).toEqual([]);
  });

  test('has the placeholders of the English texts', () => {
    const namesIn = (text: unknown) => listPlaceholders(String(text)).toSorted();
    for (const [key, text] of english) {
      expect([key, namesIn(texts.get(key))]).toEqual([key, namesIn(text)]);
    }
  });
});

test('names of tools are function names that models accept, and unambiguous', () => {
  const tools = [...locales.values()].flatMap((texts) =>
    Object.entries(texts.tools).map(([english, { name }]) => [english, name] as const),
  );
  const english = new Map<string, string>();
  for (const [name, translation] of tools) {
    expect(translation).toMatch(/^(?!skill_)[a-zA-Z][a-zA-Z0-9_]{0,63}$/);
    expect([translation, english.get(translation) ?? name]).toEqual([translation, name]);
    english.set(translation, name);
  }
});

test.each([
  ['de', 'de'],
  ['DE-at', 'de'],
  ['qaa-Hant-TW', 'en'],
  ['fr-CA', 'fr'],
  ['den', 'en'],
  ['', 'en'],
  ['*', 'en'],
  ['constructor', 'en'],
])('finds for the language tag "%s" texts in %s', (tag, language) => {
  expect(findLanguage(tag)).toBe(language);
});

test.each([
  ['pt-BR', 'pt-BR'],
  ['pt-br', 'pt-BR'],
  ['pt-PT', 'pt-BR'],
  ['pt', 'pt-BR'],
  ['zh-TW', 'zh-Hant'],
  ['en-US', 'en'],
  ['en-GB', 'en-GB'],
  ['it', undefined],
])('the language tag "%s" matches the folder %s', (tag, folder) => {
  expect(matchLanguage(tag, ['en', 'en-GB', 'pt-BR', 'zh-Hant'])).toBe(folder);
});
