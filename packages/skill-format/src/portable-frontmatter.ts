import { isRecord } from '@knowhow/shared/is-record';
import { isSkillName, slug } from '@knowhow/shared/skills/skill-name';
import { decodeText } from './decode-text.ts';
import { findFrontmatter } from './find-frontmatter.ts';
import { displayNameKey, parseSkill } from './parse-skill.ts';
import type { Fields } from './parse-yaml.ts';
import { readSkillDocument } from './read-skill-document.ts';
import { changeFrontmatter } from './write-skill-file.ts';

/** Fields of a portable skill besides its `SKILL.md`. */
interface PortableFields {
  name?: string | null | undefined;
  slug?: string | null | undefined;
  description?: string | null | undefined;
  category?: string | null | undefined;
  tags?: readonly string[] | null | undefined;
  version?: string | null | undefined;
  requiresTools?: readonly string[] | null | undefined;
  author?: string | null | undefined;
}

/**
 * Adds missing fields to the frontmatter of a `SKILL.md`. Existing ones are unchanged, and so is
 * the whole text if nothing is missing.
 */
export function completeFrontmatter(text: string, fields: PortableFields): string {
  const document = readSkillDocument(Buffer.from(text));
  const main = missingMain(document.fields, fields);
  const extra = missingExtra(document.fields, { ...fields, displayName: humanName(text, fields) });
  const isRefused = document.diagnostics.some(({ code }) => code === 'frontmatter-engine-refused');
  if ((main.length === 0 && extra.length === 0) || isRefused) {
    return text;
  }
  const metadata = document.fields.get('metadata');
  if (!metadata) {
    const block = extra.map((line) => `  ${line}`);
    return withLines(text, [...main, ...(extra.length === 0 ? [] : ['metadata:', ...block])]);
  }
  if (extra.length === 0 || (metadata.value !== null && !isRecord(metadata.value))) {
    // Metadata that is not a map cannot hold them.
    return withLines(text, [...main, ...extra]);
  }
  return withMetadata(withLines(text, main), extra);
}

/** The document's name, if it is a display name that the `SKILL.md` does not have already. */
function humanName(text: string, { name }: PortableFields): string | undefined {
  const human = name?.trim();
  return human &&
    !isSkillName(human) &&
    parseSkill(Buffer.from(text), '').skill.displayName !== human
    ? human
    : undefined;
}

/** Adds lines at the end of the frontmatter, or in a new one. */
function withLines(text: string, added: readonly string[]): string {
  if (added.length === 0) {
    return text;
  }
  const lines = decodeText(Buffer.from(text), []).split('\n');
  const found = findFrontmatter(lines, []);
  return found
    ? lines.toSpliced(found.end, 0, ...added).join('\n')
    : ['---', ...added, '---', '', text].join('\n');
}

/**
 * Adds lines to the existing `metadata`. Inserts lines into a block; other forms, such as
 * `metadata: {}`, are rewritten.
 */
function withMetadata(text: string, extra: readonly string[]): string {
  const lines = decodeText(Buffer.from(text), []).split('\n');
  const at = lines.findIndex((line) => /^metadata:[ \t]*(?:#.*)?$/.test(line));
  const indent = /^[ \t]+(?=[^\s#-])/.exec(lines[at + 1] ?? '')?.[0];
  if (at >= 0 && indent !== undefined) {
    const changed = lines.toSpliced(at + 1, 0, ...extra.map((line) => indent + line)).join('\n');
    const before = readSkillDocument(Buffer.from(text)).fields.get('metadata')?.entries?.size ?? 0;
    const after = readSkillDocument(Buffer.from(changed)).fields.get('metadata')?.entries?.size;
    if (after === before + extra.length) {
      return changed;
    }
  }
  return changeFrontmatter(Buffer.from(text), ({ metadata, ...others }) => ({
    ...others,
    metadata: { ...(isRecord(metadata) ? metadata : {}), ...valuesOf(extra) },
  }));
}

function valuesOf(lines: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(
    lines.map((line) => {
      const colon = line.indexOf(': ');
      return [line.slice(0, colon), JSON.parse(line.slice(colon + 2)) as unknown];
    }),
  );
}

function missingMain(present: Fields, { name, slug: id, description }: PortableFields): string[] {
  const lacks = (key: string) => !present.get(key)?.text?.trim();
  return [
    ...(name && lacks('name') ? [`name: ${JSON.stringify(slug(id ?? '') || slug(name))}`] : []),
    ...(description && lacks('description') ? [`description: ${JSON.stringify(description)}`] : []),
  ];
}

/** The specification has no fields for these, so they go to `metadata`. */
function missingExtra(
  present: Fields,
  fields: PortableFields & { displayName: string | undefined },
): string[] {
  const { category, tags, version, requiresTools, author, displayName } = fields;
  return Object.entries({
    [displayNameKey]: displayName,
    category,
    tags: tags?.join(', '),
    version,
    'requires-tools': requiresTools?.join(', '),
    author,
  })
    .filter(([key, value]) => value && !isPresent(present, key))
    .map(([key, value]) => `${key}: ${JSON.stringify(value)}`);
}

function isPresent(present: Fields, key: string): boolean {
  const entries = present.get('metadata')?.entries;
  const spellings = [
    key,
    key.replace('-', '_'),
    key.replace(/-(\w)/, (_, next) => next.toUpperCase()),
  ];
  return spellings.some((spelling) => present.has(spelling) || entries?.has(spelling));
}
