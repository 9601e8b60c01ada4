import { hash } from 'node:crypto';
import { conforms, type DiagnosticCode } from './diagnostics.ts';
import { judgeSkill } from './judge-skill.ts';
import type { Field, Fields } from './parse-yaml.ts';
import { readSkillDocument, type SkillDocument } from './read-skill-document.ts';
import type { Skill } from './skill.ts';
import { isSkillName, slug } from './slug.ts';

/**
 * Reads a `SKILL.md` found in a folder named `folder`. Never throws: a file that cannot be offered
 * comes back with `enabledByDefault: false` and a diagnostic of severity error.
 */
export function parseSkill(bytes: Uint8Array, folder: string): { skill: Skill; body: string } {
  const document = readSkillDocument(bytes);
  const { fields, body } = document;
  const named = (key: string) => fields.get(key);
  const name = text(named, 'name');
  const description = text(named, 'description');
  const id = idOf(name, folder);
  const refused = document.diagnostics.some(({ code }) => refusals.has(code));
  const judged = refused ? [] : judgeSkill({ document, name, description, folder, id });
  const diagnostics = [...document.diagnostics, ...judged];
  const known = (key: string) => lookUp(fields, key);
  const metadata = textEntries(fields.get('metadata'));
  const skill: Skill = {
    id,
    displayName: name === undefined || isSkillName(name) ? id : shorten(name),
    description: description ?? ownCopy(descriptionFromBody(document) ?? ''),
    license: text(named, 'license'),
    compatibility: text(named, 'compatibility'),
    metadata,
    allowedTools: listOf(named, ['allowed-tools', 'allowed_tools', 'allowedTools']),
    category: text(known, 'category'),
    tags: listOf(known, ['tags']),
    argumentHint: text(known, 'argument-hint', 'argument_hint', 'argumentHint'),
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
  return { skill, body };
}

/** Nothing of these files is taken. */
const refusals: ReadonlySet<string> = new Set<DiagnosticCode>([
  'unreadable',
  'too-large',
  'frontmatter-engine-refused',
]);
const maxDisplayName = 200;

function shorten(name: string): string {
  const points = [...name.replace(/\s+/g, ' ')];
  return points.length <= maxDisplayName
    ? points.join('')
    : `${points.slice(0, maxDisplayName - 1).join('')}…`;
}

/** The name when it is legal; else the folder's name where they differ; else what can be made of it. */
function idOf(name: string | undefined, folder: string): string {
  return slug(folder) || slug(name ?? '') || 'skill';
}

/** Characters of a body in which a description is looked for. */
const maxSearched = 16_384;

/** With what Markdown may put around the word, and around the text. */
const descriptionLine =
  /^[^\p{L}\p{N}]{0,4}description[^\p{L}\p{N}]{0,4}:[^\p{L}\p{N}]{0,3}([\p{L}\p{N}].*)$/iu;

/** A `description:` line near the top of the body, else its first paragraph. */
function descriptionFromBody(document: SkillDocument): string | undefined {
  // The cut may go through a character.
  const body = document.body.slice(0, maxSearched).replace(/\p{Cs}$/u, '');
  const line = body
    .split('\n')
    .slice(0, 12)
    .map((candidate) => descriptionLine.exec(candidate)?.[1])
    .find((found) => found !== undefined);
  const paragraph = body
    .split(/\n\s*\n/)
    .map((candidate) => candidate.trim())
    .find((candidate) => candidate !== '' && !candidate.startsWith('#'));
  return line ?? paragraph?.replace(/\s+/g, ' ');
}

type Lookup = (key: string) => Field | undefined;

/** Below `metadata` is where the specification has a place for fields that are ours. */
function lookUp(fields: Fields, key: string): Field | undefined {
  const field = fields.get(key);
  const metadata = field ? undefined : fields.get('metadata');
  if (!metadata?.entries?.has(key)) {
    return field;
  }
  const text = metadata.entries.get(key);
  return { text, value: text, entries: undefined, line: metadata.line };
}

function text(find: Lookup, ...keys: string[]): string | undefined {
  for (const key of keys) {
    const value = find(key)?.text?.trim();
    if (value) {
      return ownCopy(value);
    }
  }
  return undefined;
}

/** With memory of its own: V8 lets a part of a text keep the whole of it. */
function ownCopy(text: string): string {
  return Buffer.from(text).toString();
}

function flag(find: Lookup, keys: string[], fallback: boolean): boolean {
  const value = text(find, ...keys)?.toLowerCase();
  return value === undefined ? fallback : value === 'true' || value === 'yes';
}

/** A list, or a string of words separated by commas or, without any comma, by blanks. */
function listOf(find: Lookup, keys: string[]): readonly string[] {
  const key = keys.find((each) => find(each) !== undefined);
  const field = key === undefined ? undefined : find(key);
  if (!field) {
    return none;
  }
  const words = Array.isArray(field.value)
    ? field.value.filter((item) => typeof item !== 'object').map(String)
    : (field.text ?? '').split(field.text?.includes(',') ? ',' : /\s+/);
  return words.map((word) => ownCopy(word.trim())).filter((word) => word !== '');
}

const none: readonly string[] = [];

function textEntries(field: Field | undefined): Readonly<Record<string, string>> {
  if (!field?.entries) {
    return noTexts;
  }
  const texts: [string, string][] = [];
  for (const [key, value] of field.entries) {
    if (value !== undefined) {
      texts.push([ownCopy(key), ownCopy(value)]);
    }
  }
  return Object.fromEntries(texts);
}

const noTexts: Readonly<Record<string, string>> = {};
