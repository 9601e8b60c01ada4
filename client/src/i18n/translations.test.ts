import { skillFacts } from '@knowhow/shared/skills/skill-fields';
import { describe, expect, it } from 'vitest';
import { shownSettings } from '../testing/shown-settings.ts';
import { sourceTexts } from '../testing/source-texts.ts';
import { languages } from './languages.ts';
import { namespaces, type Texts } from './start-i18n.ts';

const files: Record<string, Texts> = import.meta.glob('../../../locales/*/*.json', {
  eager: true,
  import: 'default',
});

const modules: Record<string, string> = import.meta.glob(
  ['../**/*.{ts,tsx}', '!../**/*.test.*', '!../testing/**'],
  { query: '?raw', import: 'default', eager: true },
);
const sources = Object.entries(modules).map(([path, code]) => ({
  path,
  ...sourceTexts(path, code),
}));
/** The keys of labels, which follow from the schema. */
const settingKeys = [...shownSettings.platform, ...shownSettings.skills].map(
  (path) => `settings.fields.${path}`,
);

/** The texts of a language by key, from all namespaces or from one. */
function textsIn(language: string, wanted: readonly string[] = namespaces): Map<string, string> {
  return new Map(
    wanted.flatMap((namespace) => [
      ...flatten(files[`../../../locales/${language}/${namespace}.json`] ?? {}),
    ]),
  );
}

const english = textsIn('en');
/** Keys as they are used in the code: without plural suffixes. */
const named = (keys: Iterable<string>) => new Set([...keys].map(withoutPlural));
const withoutPlural = (key: string) => key.replace(/_(zero|one|two|few|many|other)$/, '');

/** The keys that a language needs: each plural form that CLDR knows for it. */
function keysFor(language: string): Set<string> {
  const { pluralCategories } = new Intl.PluralRules(language).resolvedOptions();
  return new Set(
    [...english.keys()].flatMap((key) =>
      english.has(`${withoutPlural(key)}_other`)
        ? pluralCategories.map((category) => `${withoutPlural(key)}_${category}`)
        : key,
    ),
  );
}

describe('the translations', () => {
  it.each(Object.keys(languages))('have every key and plural form: %s', (language) => {
    expect([...textsIn(language).keys()].sort()).toEqual([...keysFor(language)].sort());
  });

  it.each(Object.keys(languages))('are not empty, and keep the placeholders: %s', (language) => {
    for (const [key, text] of textsIn(language)) {
      expect(text.trim(), key).not.toBe('');
      const other = english.get(`${withoutPlural(key)}_other`);
      const sources = [english.get(key), other].flatMap((source) => source ?? []);
      expect(sources.map(placeholdersOf), key).toContainEqual(placeholdersOf(text));
    }
  });

  it('have every key that the code uses', () => {
    const known = named(english.keys());
    for (const { path, keys } of sources) {
      expect(
        keys.filter((key) => !known.has(key)),
        path,
      ).toEqual([]);
    }
  });

  it('have a label for every setting', () => {
    expect(settingKeys.filter((key) => !english.has(key))).toEqual([]);
  });

  it('of the first load are in the namespace that is loaded before the first page', () => {
    const common = named(textsIn('en', ['common']).keys());
    const firstLoad = importedFrom('../main.tsx');
    expect(firstLoad.size).toBeGreaterThan(50);
    for (const { path, keys } of sources.filter((source) => firstLoad.has(source.path))) {
      expect(
        keys.filter((key) => !common.has(key)),
        path,
      ).toEqual([]);
    }
  });

  it('have no unused keys', () => {
    const labels = skillFacts.map(({ label }): string => label);
    const strings = new Set([
      ...sources.flatMap((source) => source.strings),
      ...labels,
      ...settingKeys.flatMap((key) => [key, `${key}About`]),
    ]);
    const own = textsIn('en', ['common', 'chat', 'admin']);
    expect([...named(own.keys())].filter((key) => !strings.has(key))).toEqual([]);
  });
});

describe('the components', () => {
  it('contain no untranslated text', () => {
    for (const { path, hardCoded } of sources) {
      expect(hardCoded, path).toEqual([]);
    }
  });

  it.each([
    '<p>Hello</p>',
    '<p>{"Hello"}</p>',
    '<p>{done ? "Hello" : t("a.b")}</p>',
    '<p>{done && `Hello ${name}`}</p>',
    '<>Hello {name}</>',
    '<button aria-label="Hello" />',
    '<input placeholder={`Hello ${name}`} />',
    '<Field label={done ? t("a.b") : "Hello"} />',
  ])('are rejected with untranslated text: %s', (code) => {
    expect(sourceTexts('planted.tsx', `export const x = ${code};`).hardCoded).toHaveLength(1);
  });

  it('may contain translations, symbols, numbers and key caps', () => {
    const code = '<p title={t("a.b")} className="x">{t("c.d")} · 7 <Kbd>Esc</Kbd></p>';
    const texts = sourceTexts('planted.tsx', `export const x = ${code};`);
    expect(texts).toMatchObject({ hardCoded: [], keys: ['a.b', 'c.d'] });
  });
});

/** Paths of a module and of all that it imports statically. */
function importedFrom(start: string): Set<string> {
  const found = new Set([start]);
  for (const path of found) {
    const imports = (modules[path] ?? '').matchAll(
      /^(?:import|export) (?!type)[^;()]*?'(\.[^']+)'/gm,
    );
    for (const [, imported = ''] of imports) {
      const { pathname } = new URL(imported, `file:///src/i18n/${path}`);
      const target = pathname.replace('/src/i18n/', './').replace('/src/', '../');
      if (modules[target] !== undefined) {
        found.add(target);
      }
    }
  }
  return found;
}

function flatten(texts: object, path = ''): Map<string, string> {
  const found = Object.entries(texts).flatMap(([name, value]): [string, string][] =>
    typeof value === 'string' ? [[path + name, value]] : [...flatten(value, `${path}${name}.`)],
  );
  return new Map(found);
}

function placeholdersOf(text: string): string[] {
  return (text.match(/\{\{\w+|<\/?\w+>/g) ?? []).sort();
}
