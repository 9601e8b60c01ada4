import { skillFacts } from '@knowhow/shared/skills/skill-fields';
import { skillFixes } from '@knowhow/shared/skills/skill-fixes';
import { skillMessages } from '@knowhow/shared/skills/skill-messages';
import { describe, expect, it } from 'vitest';
import { sourceTexts } from '../testing/source-texts.ts';
import accountDe from './account/de.json' with { type: 'json' };
import accountEn from './account/en.json' with { type: 'json' };
import adminDe from './admin/de.json' with { type: 'json' };
import adminEn from './admin/en.json' with { type: 'json' };
import skillTextsDe from './admin/skill-texts-de.json' with { type: 'json' };
import answersDe from './answers/de.json' with { type: 'json' };
import answersEn from './answers/en.json' with { type: 'json' };
import attachmentsDe from './attachments/de.json' with { type: 'json' };
import attachmentsEn from './attachments/en.json' with { type: 'json' };
import conversationsDe from './conversations/de.json' with { type: 'json' };
import conversationsEn from './conversations/en.json' with { type: 'json' };
import de from './de.json' with { type: 'json' };
import embedDe from './embed/de.json' with { type: 'json' };
import embedEn from './embed/en.json' with { type: 'json' };
import en from './en.json' with { type: 'json' };
import noticesDe from './notices/de.json' with { type: 'json' };
import noticesEn from './notices/en.json' with { type: 'json' };
import secondDe from './second/de.json' with { type: 'json' };
import secondEn from './second/en.json' with { type: 'json' };
import sharingDe from './sharing/de.json' with { type: 'json' };
import sharingEn from './sharing/en.json' with { type: 'json' };
import signInDe from './sign-in/de.json' with { type: 'json' };
import signInEn from './sign-in/en.json' with { type: 'json' };
import temporaryDe from './temporary/de.json' with { type: 'json' };
import temporaryEn from './temporary/en.json' with { type: 'json' };
import toolsDe from './tools/de.json' with { type: 'json' };
import toolsEn from './tools/en.json' with { type: 'json' };
import traceDe from './trace/de.json' with { type: 'json' };
import traceEn from './trace/en.json' with { type: 'json' };

const modules: Record<string, string> = import.meta.glob(
  ['../**/*.{ts,tsx}', '!../**/*.test.*', '!../testing/**'],
  { query: '?raw', import: 'default', eager: true },
);
const sources = Object.entries(modules).map(([path, code]) => ({
  path,
  ...sourceTexts(path, code),
}));
const ownEnglish = flatten({
  ...en,
  ...accountEn,
  ...adminEn,
  ...answersEn,
  ...attachmentsEn,
  ...sharingEn,
  ...embedEn,
  ...noticesEn,
  ...conversationsEn,
  ...secondEn,
  ...signInEn,
  ...temporaryEn,
  ...toolsEn,
  ...traceEn,
});
const skillTexts = { messages: skillMessages, fixes: skillFixes };
const english = flatten({
  ...en,
  ...accountEn,
  ...adminEn,
  ...answersEn,
  ...attachmentsEn,
  ...sharingEn,
  ...embedEn,
  ...noticesEn,
  ...conversationsEn,
  ...secondEn,
  ...signInEn,
  ...temporaryEn,
  ...toolsEn,
  ...traceEn,
  skillTexts,
});
const german = flatten({
  ...de,
  ...accountDe,
  ...adminDe,
  ...answersDe,
  ...attachmentsDe,
  ...sharingDe,
  ...embedDe,
  ...noticesDe,
  ...conversationsDe,
  ...secondDe,
  ...signInDe,
  ...temporaryDe,
  ...toolsDe,
  ...traceDe,
  skillTexts: skillTextsDe,
});
/** Keys as they are used in the code: without plural suffixes. */
const named = (texts: Map<string, string>) =>
  new Set([...texts.keys()].map((key) => key.replace(/_(one|other)$/, '')));

describe('the translations', () => {
  it('have every key in both languages', () => {
    expect([...german.keys()].sort()).toEqual([...english.keys()].sort());
  });

  it('are not empty, and have the same placeholders', () => {
    for (const [key, text] of english) {
      const translated = german.get(key) ?? '';
      expect(translated.trim(), key).not.toBe('');
      expect(placeholdersOf(translated), key).toEqual(placeholdersOf(text));
    }
  });

  it('have every key that the code uses', () => {
    const known = named(english);
    for (const { path, keys } of sources) {
      expect(
        keys.filter((key) => !known.has(key)),
        path,
      ).toEqual([]);
    }
  });

  it('have no unused keys', () => {
    const labels = skillFacts.map(({ label }): string => label);
    const strings = new Set([...sources.flatMap((source) => source.strings), ...labels]);
    expect([...named(ownEnglish)].filter((key) => !strings.has(key))).toEqual([]);
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

function flatten(texts: object, path = ''): Map<string, string> {
  const found = Object.entries(texts).flatMap(([name, value]): [string, string][] =>
    typeof value === 'string' ? [[path + name, value]] : [...flatten(value, `${path}${name}.`)],
  );
  return new Map(found);
}

function placeholdersOf(text: string): string[] {
  return (text.match(/\{\{\w+/g) ?? []).sort();
}
