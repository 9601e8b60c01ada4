import { matchLanguage } from '@knowhow/shared/match-language';
import type serverTexts from '../../../../locales/en/server.json';
import type toolTexts from '../../../../locales/en/tools.json';

/** Texts of a built-in tool for models. */
export interface ToolTexts {
  description: string;
  /** Descriptions by parameter name. */
  parameters: Readonly<Record<string, string>>;
}

/** Names of the built-in tools in English, which permissions, records and the chat use. */
export type ToolName = keyof typeof toolTexts.tools;

/** The server's texts in one language: `server.json` and `tools.json` of its folder. */
export type ServerTexts = typeof serverTexts & typeof toolTexts;

const fallback = 'en';

// Without a type argument: Vitest would cache this module, and not see a new folder.
const files: Readonly<Record<string, Partial<ServerTexts>>> = import.meta.glob(
  '../../../../locales/*/{server,tools}.json',
  { eager: true, import: 'default' },
);

const languages = [...new Set(Object.keys(files).map(languageOf))];
const english = readTexts(fallback) as ServerTexts;

/** Texts by language tag (RFC 5646; the folder's name), English first. */
export const locales: ReadonlyMap<string, ServerTexts> = new Map(
  languages
    .map((language) => [language, addMissing(readTexts(language), english)] as const)
    .sort(([one], [other]) => Number(other === fallback) - Number(one === fallback)),
);

function readTexts(language: string): Partial<ServerTexts> {
  const texts = Object.entries(files).filter(([path]) => languageOf(path) === language);
  return Object.assign({}, ...texts.map(([, part]) => part));
}

function languageOf(path: string): string {
  return path.split('/').at(-2) ?? path;
}

/** Adds the English texts that a language lacks, for example after an update. */
function addMissing<Texts extends object>(texts: Partial<Texts>, source: Texts): Texts {
  const known: Record<string, unknown> = { ...texts };
  const entries = Object.entries(source).map(([key, value]) => [
    key,
    typeof value === 'object' ? addMissing(known[key] ?? {}, value) : (known[key] ?? value),
  ]);
  return Object.fromEntries(entries) as Texts;
}

/** The language with texts for a language tag such as `de-AT`; English if there is none. */
export function findLanguage(tag: string): string {
  return matchLanguage(tag, [...locales.keys()]) ?? fallback;
}

/** The texts for a language tag, in English if there are none. */
export function findTexts(tag: string): ServerTexts {
  const texts = locales.get(findLanguage(tag));
  if (!texts) {
    throw new Error(`There is no locales/${fallback}/server.json.`);
  }
  return texts;
}

/** A text in all languages. */
export function localizeAll(getText: (texts: ServerTexts) => string): Record<string, string> {
  return Object.fromEntries([...locales].map(([language, texts]) => [language, getText(texts)]));
}
