import { hash } from 'node:crypto';
import { maxTitleLength } from '@knowhow/shared/skills/edited-translations';
import { type SkillFields, skillFieldList } from '@knowhow/shared/skills/skill-fields';
import { slug } from '@knowhow/shared/skills/skill-name';
import type { Diagnostic } from '@knowhow/shared/skills/skills';
import { cleanText } from './decode-text.ts';
import { conforms, type DiagnosticCode, diagnose } from './diagnostics.ts';
import { withoutHiddenCharacters } from './hidden-characters.ts';
import { judgeSkill } from './judge-skill.ts';
import type { Field, Fields } from './parse-yaml.ts';
import { readSkillDocument, type SkillDocument } from './read-skill-document.ts';
import { readTags } from './read-tags.ts';
import { readTranslations, shorten } from './read-translations.ts';
import type { Skill } from './skill.ts';
import { asText } from './write-skill-file.ts';

/**
 * Parses a `SKILL.md` in a folder named `folder`. Never throws: an invalid file has
 * `enabledByDefault: false` and a diagnostic of severity error.
 */
export function parseSkill(
  bytes: Uint8Array,
  folder: string,
): { skill: Skill; body: string; triggers: string } {
  const document = readSkillDocument(bytes);
  return {
    skill: skillOf(document, bytes, folder),
    // Lazy: decoding is slow, and a scan of thousands does not need it.
    get body() {
      return document.body;
    },
    /** Trigger words declared by the skill. */
    get triggers() {
      return triggersOf(document);
    },
  };
}

const namesOfTriggers = [
  'triggers',
  'trigger',
  'keywords',
  'when_to_use',
  'when-to-use',
  'whenToUse',
];

/**
 * One text or a list, at the top level or below `metadata`; nested values are included as they are.
 */
function triggersOf({ fields }: SkillDocument): string {
  const written = namesOfTriggers.map((name) => lookUp(fields, name));
  return written
    .map((field) => field?.text ?? (field?.value ? asText(field.value) : ''))
    .filter((words) => words !== '')
    .join(' ');
}

function skillOf(document: SkillDocument, bytes: Uint8Array, folder: string): Skill {
  const { fields } = document;
  const named = (key: string) => fields.get(key);
  const name = text(named, 'name');
  const description = text(named, 'description');
  const id = idOf(name, folder);
  const refused = document.diagnostics.some(({ code }) => refusals.has(code));
  const declared = description === undefined ? declaredInBody(document) : undefined;
  const judged = refused
    ? document.diagnostics
    : judgeSkill({ document, name, description, declared, folder, id });
  const known = (key: string) => lookUp(fields, key);
  const { written, diagnostics: onLabels } = cleanLabels(
    readFields(fields),
    (key) => known(key)?.line,
  );
  const { tags, diagnostics: onTags } = readTags(written.tags, known('tags')?.line);
  const metadata = textEntries(fields.get('metadata'));
  const { translations, diagnostics: onTranslations } = readTranslations(
    metadata,
    fields.get('metadata')?.line,
  );
  const diagnostics = [
    ...withoutFollowing(judged, declared),
    ...onLabels,
    ...onTags,
    ...onTranslations,
  ];
  return {
    id,
    displayName: shorten((titleOf(metadata) || name || id).replace(/\s+/g, ' '), maxTitleLength),
    description:
      description ?? ownCopy(declared ?? document.comment ?? firstParagraph(document) ?? ''),
    ...written,
    metadata,
    translations,
    tags,
    declaresArguments: [...namesOfHint, 'arguments'].some((key) => known(key) !== undefined),
    userInvocable: flag(known, ['user-invocable', 'user_invocable', 'userInvocable'], true),
    modelInvocable: !flag(
      known,
      ['disable-model-invocation', 'disable_model_invocation', 'disableModelInvocation'],
      false,
    ),
    valid: conforms(diagnostics),
    loads: !refused,
    enabledByDefault: !diagnostics.some(({ severity }) => severity === 'error'),
    diagnostics,
    checksum: hash('sha256', bytes),
  };
}

const namesOfHint = skillFieldList.find(({ key }) => key === 'argumentHint')?.names ?? [];

/** Reads the fields of the table. */
function readFields(fields: Fields): SkillFields {
  const values = skillFieldList.map(({ key, names, type, isSpecified }) => {
    const find: Lookup = isSpecified ? (name) => fields.get(name) : (name) => lookUp(fields, name);
    return [key, type === 'text' ? text(find, ...names) : listOf(find, names)];
  });
  return Object.fromEntries(values) as SkillFields;
}

/** Files with these diagnostics are ignored completely. */
const refusals: ReadonlySet<string> = new Set<DiagnosticCode>([
  'unreadable',
  'too-large',
  'frontmatter-engine-refused',
]);
/** Below `metadata`: a display name, if `name` is the id. */
export const displayNameKey = 'display-name';

function titleOf(metadata: Readonly<Record<string, string>>): string | undefined {
  return metadata[displayNameKey]?.trim() || metadata.title?.trim();
}

/** The name if it is valid; otherwise the folder's name if they differ; otherwise a slug. */
function idOf(name: string | undefined, folder: string): string {
  return slug(folder) || slug(name ?? '') || 'skill';
}

/** Number of characters of the body that are searched for a description. */
const maxSearched = 16_384;

/** Including Markdown around the word and the text. */
const descriptionLine =
  /^[^\p{L}\p{N}]{0,4}description[^\p{L}\p{N}]{0,4}:[^\p{L}\p{N}]{0,3}([\p{L}\p{N}].*)$/iu;

/** A `description:` line near the top of the body. */
function declaredInBody(document: SkillDocument): string | undefined {
  return headOf(document)
    .split('\n')
    .slice(0, 12)
    .map((candidate) => descriptionLine.exec(candidate)?.[1])
    .find((found) => found !== undefined);
}

/**
 * Reports one diagnostic per cause: if the body declares a description, missing frontmatter is not
 * reported; without frontmatter, a missing description is not reported.
 */
function withoutFollowing(found: Diagnostic[], declared: string | undefined): Diagnostic[] {
  const cause: DiagnosticCode = 'frontmatter-missing';
  const following = declared === undefined ? 'description-missing' : cause;
  return found.some(({ code }) => code === cause)
    ? found.filter(({ code }) => code !== following)
    : found;
}

function firstParagraph(document: SkillDocument): string | undefined {
  return headOf(document)
    .split(/\n\s*\n/)
    .map((candidate) => candidate.trim())
    .find((candidate) => candidate !== '' && !candidate.startsWith('#'))
    ?.replace(/\s+/g, ' ');
}

/** May truncate within a surrogate pair. */
function headOf({ body }: SkillDocument): string {
  return body.slice(0, maxSearched).replace(/\p{Cs}$/u, '');
}

type Lookup = (key: string) => Field | undefined;

function text(find: Lookup, ...keys: string[]): string | undefined {
  for (const key of keys) {
    const value = find(key)?.text?.trim();
    if (value) {
      return ownCopy(value);
    }
  }
  return undefined;
}

/** V8 copies substrings that are shorter, and keeps the whole text alive for longer ones. */
const minSliceLength = 13;

/** Copies a substring, so that the whole text can be garbage-collected. */
function ownCopy(text: string): string {
  return text.length < minSliceLength ? text : ` ${text}`.slice(1);
}

function flag(find: Lookup, keys: string[], fallback: boolean): boolean {
  const value = text(find, ...keys)?.toLowerCase();
  return value === undefined ? fallback : value === 'true' || value === 'yes';
}

/** A list, or a string of words separated by commas or, without any comma, by blanks. */
function listOf(find: Lookup, keys: readonly string[]): readonly string[] {
  const key = keys.find((each) => find(each) !== undefined);
  const field = key === undefined ? undefined : find(key);
  if (!field) {
    return none;
  }
  const words = Array.isArray(field.value)
    ? field.value.filter((item) => typeof item !== 'object').map(String)
    : wordsOf(field.text ?? '');
  return words.map((word) => ownCopy(word.trim())).filter((word) => word !== '');
}

/**
 * Also parses a list in a string, such as `'["red", "green"]'`, even without its closing bracket.
 */
function wordsOf(text: string): string[] {
  const plain = text.trim();
  const list = plain.startsWith('[') ? plain.slice(1).replace(/\]$/, '') : undefined;
  const words = (list ?? text).split(text.includes(',') ? ',' : /\s+/);
  return list === undefined
    ? words
    : words.map((word) => word.trim().replace(/^(["']?)(.*?)\1?$/s, '$2'));
}

const none: readonly string[] = [];

/** Converts lists and maps below `metadata` to text. */
function textEntries(field: Field | undefined): Readonly<Record<string, string>> {
  if (!field?.entries) {
    return noTexts;
  }
  const texts: [string, string][] = [];
  for (const [key, text] of field.entries) {
    const value = text ?? getEntry(field, key);
    if (value !== undefined && value !== null) {
      texts.push([ownCopy(key), ownCopy(text ?? cleanText(asText(value)))]);
    }
  }
  return Object.fromEntries(texts);
}

const noTexts: Readonly<Record<string, string>> = {};

/** A field at the top level, or below `metadata`, where the specification allows custom fields. */
function lookUp(fields: Fields, key: string): Field | undefined {
  const field = fields.get(key);
  const metadata = field ? undefined : fields.get('metadata');
  if (!metadata?.entries?.has(key)) {
    return field;
  }
  const text = metadata.entries.get(key);
  const value = text ?? getEntry(metadata, key);
  return { text, value, entries: undefined, line: metadata.line };
}

/** The value of a map field at a key. */
function getEntry({ value }: Field, key: string): unknown {
  return typeof value === 'object' && value !== null
    ? Object.getOwnPropertyDescriptor(value, key)?.value
    : undefined;
}

interface Labels {
  category?: string | undefined;
  tags: readonly string[];
}

/**
 * Sanitizes category and tags by removing invisible characters: they are filter values, so those
 * that look the same must be the same.
 *
 * @param lineOf the line of a field
 */
function cleanLabels<Fields extends Labels>(
  fields: Fields,
  lineOf: (field: keyof Labels) => number | undefined,
): { written: Fields; diagnostics: Diagnostic[] } {
  const { category, tags } = fields;
  const clean = (text: string) => withoutHiddenCharacters(cleanText(text)).trim();
  const cleaned = {
    category: category === undefined ? undefined : clean(category) || undefined,
    tags: tags.map(clean).filter((tag) => tag !== ''),
  };
  const changed = [
    ...(cleaned.category === category ? [] : (['category'] as const)),
    ...(cleaned.tags.join('\n') === tags.join('\n') ? [] : (['tags'] as const)),
  ];
  return {
    written: changed.length === 0 ? fields : { ...fields, ...cleaned },
    diagnostics: changed.map((field) => diagnose('hidden-characters', { line: lineOf(field) })),
  };
}
