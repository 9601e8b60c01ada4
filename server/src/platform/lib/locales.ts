/** Texts of a built-in tool for models. */
export interface ToolTexts {
  description: string;
  /** Descriptions by parameter name. */
  parameters: Readonly<Record<string, string>>;
}

type Texts<Key extends string> = Readonly<Record<Key, string>>;

/** Names of the built-in tools in English, which permissions, records and the chat use. */
export type ToolName =
  | 'activate_skill'
  | 'read_skill_resource'
  | 'search_skills'
  | 'list_skills'
  | 'run_skill_script'
  | 'search_tools'
  | 'read_attachment'
  | 'ask_user'
  | 'calculate'
  | 'current_time'
  | 'fetch_page';

/** Keys of tool texts: a tool that is offered in several forms has several. */
export type ToolTextKey = ToolName | 'activate_found_skill' | 'activate_named_skill';

/** The server's texts in one language: `locales/<language>/server.json`. */
export interface ServerTexts {
  toolNames: Texts<ToolName>;
  englishName: string;
  tools: Readonly<Record<ToolTextKey, ToolTexts>>;
  /** Labels of an exported conversation; `colon` is the separator after a label. */
  export: Texts<'you' | 'skills' | 'files' | 'thinking' | 'input' | 'result' | 'stopped' | 'colon'>;
  connectionPage: Texts<'done' | 'doneText' | 'failed' | 'back'>;
  providers: Texts<'openai' | 'openaiResponses' | 'local' | 'demo'>;
  /** Markdown of the demo model, and words that it does not look for in skills. */
  demo: Texts<
    | 'introduce'
    | 'try'
    | 'setUp'
    | 'list'
    | 'ask'
    | 'about'
    | 'more'
    | 'none'
    | 'quote'
    | 'active'
    | 'files'
    | 'quoted'
    | 'failed'
    | 'ignoredWords'
    | 'skillWords'
    | 'listWords'
  >;
  /** Separated by blanks. */
  stopWords: string;
}

const fallback = 'en';

// Without a type argument: Vitest would cache this module, and not see a new folder.
const files: Readonly<Record<string, ServerTexts>> = import.meta.glob(
  '../../../../locales/*/server.json',
  { eager: true, import: 'default' },
);

const english = Object.entries(files).find(([path]) => languageOf(path) === fallback)?.[1];

/** Texts by language (primary subtag, RFC 5646), English first. */
export const locales: ReadonlyMap<string, ServerTexts> = new Map(
  Object.entries(files)
    .map(([path, texts]) => [languageOf(path), addMissing(texts, english ?? texts)] as const)
    .sort(([one], [other]) => Number(other === fallback) - Number(one === fallback)),
);

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
  const [primary = ''] = tag.toLowerCase().split('-');
  return locales.has(primary) ? primary : fallback;
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
