import { countTokens, maxTokensPerCharacter } from '@knowhow/shared/count-tokens';
import { maxDescriptionLength } from '@knowhow/shared/skills/edited-translations';
import { maxCompatibilityLength } from '@knowhow/shared/skills/skill-fields';
import { isSkillName } from '@knowhow/shared/skills/skill-name';
import type { Diagnostic } from '@knowhow/shared/skills/skills';
import { fitsCatalogue } from './catalogue-entry.ts';
import { type DiagnosticCode, diagnose } from './diagnostics.ts';
import { hasHiddenCharacters, reveal } from './hidden-characters.ts';
import { type Fields, unsafeKeys } from './parse-yaml.ts';
import type { SkillDocument } from './read-skill-document.ts';

interface Evidence {
  document: SkillDocument;
  name: string | undefined;
  description: string | undefined;
  /** A description in the body, if the frontmatter has none. */
  declared: string | undefined;
  folder: string;
  id: string;
}

/** Top-level fields of the Agent Skills specification (2026-08-09). */
export const specifiedFields: ReadonlySet<string> = new Set([
  'name',
  'description',
  'license',
  'compatibility',
  'metadata',
  'allowed-tools',
]);
const maxName = 64;
/** Maximum number of unknown fields that are reported individually. */
const maxUnknown = 20;
const maxBodyTokens = 5000;
const maxBodyLines = 500;

/**
 * All diagnostics of a document: from parsing, and from the specification. If the frontmatter is
 * broken, issues of fields are consequences and are not reported.
 */
export function judgeSkill(evidence: Evidence): Diagnostic[] {
  const { document } = evidence;
  const { fields, hasFrontmatter, diagnostics } = document;
  const isBroken = diagnostics.some(breaksFrontmatter);
  const isLost = isBroken && (evidence.description ?? evidence.declared) === undefined;
  return [
    ...diagnostics.map((found) =>
      isLost && breaksFrontmatter(found) ? withConsequence(found) : found,
    ),
    ...(hasFrontmatter && !isLost ? judgeName(evidence) : []),
    ...(isLost ? [] : judgeDescription(evidence)),
    ...(isBroken ? [] : judgeFields(fields)),
    ...judgeUnknown(fields),
    ...judgeBody(document),
  ];
}

function breaksFrontmatter({ code }: Diagnostic): boolean {
  return breaks.has(code);
}

/** Combines the cause with its consequence: without a description, a skill is off. */
function withConsequence(found: Diagnostic): Diagnostic {
  const { code, severity, values, line } = found;
  const fix = code as Exclude<Break, 'frontmatter-too-long'>;
  const text = `frontmatter-lost-${fix}` as const;
  return severity === 'error'
    ? found
    : diagnose('frontmatter-unreadable', { text, fix, values, line });
}

/** After these, only texts are read, or other lines than intended. */
const breakCodes = [
  'merge-conflict',
  'yaml-unclosed',
  'yaml-invalid',
  'frontmatter-too-long',
] as const satisfies DiagnosticCode[];
type Break = (typeof breakCodes)[number];
const breaks: ReadonlySet<string> = new Set(breakCodes);

function judgeFields(fields: Fields): Diagnostic[] {
  return [
    ...judgeText(fields, 'license'),
    ...judgeCompatibility(fields),
    ...judgeText(fields, 'allowed-tools'),
    ...judgeMetadata(fields),
  ];
}

function judgeName({ document, name, folder, id }: Evidence): Diagnostic[] {
  const line = document.fields.get('name')?.line;
  if (name === undefined) {
    const text = 'name-missing-folder';
    return [diagnose('name-missing', { text, fix: 'name-add', values: { name: id }, line })];
  }
  const found: Diagnostic[] = [];
  if (!isSkillName(name)) {
    const length = [...name].length;
    const text = length > maxName ? 'name-illegal-long' : 'name-illegal';
    const values = { written: shown(name), name: id, length };
    found.push(diagnose('name-invalid', { text, values, line }));
  }
  if (reveal(name) !== name) {
    const values = { written: shown(name) };
    found.push(diagnose('hidden-characters', { text: 'name-hidden-characters', values, line }));
  }
  if (name !== folder && name.normalize('NFKC') !== folder.normalize('NFKC')) {
    const values = { folder: reveal(folder), written: shown(name), name: id };
    found.push(diagnose('name-directory-mismatch', { text: 'name-differs', values, line }));
  }
  return found;
}

function judgeDescription({ document, id, description, declared }: Evidence): Diagnostic[] {
  const line = document.fields.get('description')?.line;
  if (declared !== undefined) {
    return [diagnose('description-in-body')];
  }
  if (description === undefined) {
    const isComment = document.comment !== undefined;
    return [diagnose('description-missing', { ...(isComment ? commentedOut : {}), line })];
  }
  const found: Diagnostic[] = [];
  const length = countPoints(description, maxDescriptionLength);
  if (length > maxDescriptionLength) {
    const values = { length, over: length - maxDescriptionLength };
    found.push(diagnose('description-too-long', { text: 'description-length', values, line }));
  } else if (!fitsCatalogue({ id, description })) {
    found.push(diagnose('description-shortened', { line }));
  }
  if (hasHiddenCharacters(description)) {
    found.push(diagnose('hidden-characters', { line }));
  }
  return found;
}

const commentedOut = { text: 'description-commented', fix: 'description-quote' } as const;

/** The number of code points, counted only if it may exceed `limit`. */
function countPoints(text: string, limit: number): number {
  return text.length <= limit ? text.length : [...text].length;
}

function shown(name: string): string {
  const points = [...name];
  return reveal(points.length > maxName ? `${points.slice(0, maxName).join('')}…` : name);
}

function judgeText(fields: Fields, key: 'license' | 'allowed-tools'): Diagnostic[] {
  const field = fields.get(key);
  return !field || field.text !== undefined
    ? []
    : [diagnose(`${key}-invalid`, { line: field.line })];
}

function judgeCompatibility(fields: Fields): Diagnostic[] {
  const field = fields.get('compatibility');
  if (!field) {
    return [];
  }
  const { text, value, line } = field;
  if (value === null || text?.trim() === '') {
    return [diagnose('compatibility-empty', { line })];
  }
  const isLegal =
    text !== undefined && countPoints(text, maxCompatibilityLength) <= maxCompatibilityLength;
  return isLegal ? [] : [diagnose('compatibility-invalid', { line })];
}

function judgeMetadata(fields: Fields): Diagnostic[] {
  const field = fields.get('metadata');
  if (!field) {
    return [];
  }
  if (!field.entries) {
    return [diagnose('metadata-invalid', { line: field.line })];
  }
  const entries = typeof field.value === 'object' && field.value ? Object.entries(field.value) : [];
  const unsafe = entries.filter(([key]) => unsafeKeys.has(key));
  const isText = entries.every(([, value]) => typeof value === 'string');
  return [
    ...(isText ? [] : [diagnose('metadata-not-text', { line: field.line })]),
    ...unsafe.map(([key]) => judgeUnsafe(`metadata.${key}`, field.line)),
  ];
}

/** Ignored completely, because of prototype pollution. */
function judgeUnsafe(field: string, line: number): Diagnostic {
  const text = 'unknown-field-unsafe';
  return diagnose('unknown-field', { text, fix: 'remove', values: { field }, line });
}

function judgeUnknown(fields: Fields): Diagnostic[] {
  const unknown = [...fields].filter(([key]) => !specifiedFields.has(key));
  const found = unknown.slice(0, maxUnknown).map(([key, { line, value }]) => {
    const about = { text: 'unknown-field-named', fix: moving(value) } as const;
    return unsafeKeys.has(key)
      ? judgeUnsafe(key, line)
      : diagnose('unknown-field', { ...about, values: { field: shown(key) }, line });
  });
  const more = unknown.length - found.length;
  const text = more === 1 ? 'unknown-field-more' : 'unknown-fields-more';
  const rest = { text, values: { more } } as const;
  return more > 0 ? [...found, diagnose('unknown-field', rest)] : found;
}

/** Values below metadata are texts. */
function moving(value: unknown) {
  if (Array.isArray(value)) {
    return 'unknown-field-list';
  }
  return typeof value === 'object' && value !== null ? 'unknown-field-map' : 'unknown-field';
}

const lineEnd = 0x0a;

function judgeBody(document: SkillDocument): Diagnostic[] {
  const { bodyLimit, bodyLine } = document;
  if (bodyLimit && !isLong(bodyLimit.lines, Math.ceil(bodyLimit.length * maxTokensPerCharacter))) {
    return [];
  }
  const { body } = document;
  if (body.trim() === '') {
    return [diagnose('body-empty', { line: bodyLine })];
  }
  const lines = countLines(body);
  const tokens = countTokens(body);
  if (!isLong(lines, tokens)) {
    return [];
  }
  return [diagnose('body-long', { text: 'body-lines', values: { lines, tokens }, line: bodyLine })];
}

function isLong(lines: number, tokens: number): boolean {
  return lines > maxBodyLines || tokens > maxBodyTokens;
}

/** A loop over characters: `indexOf` takes several times as long for a text of blank lines. */
function countLines(text: string): number {
  let count = 1;
  for (let at = 0; at < text.length; at += 1) {
    if (text.charCodeAt(at) === lineEnd) {
      count += 1;
    }
  }
  return count;
}
