import { createHash } from 'node:crypto';
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
  const name = text(fields, 'name');
  const description = text(fields, 'description');
  const id = idOf(name, folder);
  const refused = document.diagnostics.some(({ code }) => refusals.has(code));
  const judged = refused ? [] : judgeSkill({ document, name, description, folder, id });
  const diagnostics = [...document.diagnostics, ...judged];
  const skill: Skill = {
    id,
    displayName: name === undefined || isSkillName(name) ? id : shorten(name),
    description: description ?? descriptionFromBody(document) ?? '',
    license: text(fields, 'license'),
    compatibility: text(fields, 'compatibility'),
    metadata: textEntries(fields.get('metadata')),
    allowedTools: listOf(fields, ['allowed-tools', 'allowed_tools', 'allowedTools']),
    category: text(fields, 'category') ?? fields.get('metadata')?.entries?.get('category'),
    tags: listOf(fields, ['tags']),
    argumentHint: text(fields, 'argument-hint', 'argument_hint', 'argumentHint'),
    userInvocable: flag(fields, ['user-invocable', 'user_invocable', 'userInvocable'], true),
    modelInvocable: !flag(
      fields,
      ['disable-model-invocation', 'disable_model_invocation', 'disableModelInvocation'],
      false,
    ),
    valid: conforms(diagnostics),
    loads: !refused,
    enabledByDefault: !diagnostics.some(({ severity }) => severity === 'error'),
    diagnostics,
    checksum: createHash('sha256').update(bytes).digest('hex'),
  };
  return { skill, body };
}

/** Nothing of these files is taken. */
const refusals: ReadonlySet<string> = new Set<DiagnosticCode>([
  'empty',
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

function text(fields: Fields, ...keys: string[]): string | undefined {
  for (const key of keys) {
    const value = fields.get(key)?.text?.trim();
    if (value) {
      return value;
    }
  }
  return undefined;
}

function flag(fields: Fields, keys: string[], fallback: boolean): boolean {
  const value = text(fields, ...keys)?.toLowerCase();
  return value === undefined ? fallback : value === 'true' || value === 'yes';
}

/** A list, or a string of words separated by commas or, without any comma, by blanks. */
function listOf(fields: Fields, keys: string[]): string[] {
  const field = keys.map((key) => fields.get(key)).find((found) => found !== undefined);
  if (!field) {
    return [];
  }
  const words = Array.isArray(field.value)
    ? field.value.filter((item) => typeof item !== 'object').map(String)
    : (field.text ?? '').split(field.text?.includes(',') ? ',' : /\s+/);
  return words.map((word) => word.trim()).filter((word) => word !== '');
}

function textEntries(field: Field | undefined): Record<string, string> {
  const entries = [...(field?.entries ?? [])].flatMap(([key, value]) =>
    value === undefined ? [] : [[key, value] as const],
  );
  return Object.fromEntries(entries);
}
