import { stringify } from 'yaml';
import { type Fields, unsafeKeys } from './parse-yaml.ts';
import { readSkillDocument } from './read-skill-document.ts';

/** The fields of a frontmatter in order: texts, and for `metadata` a map of texts. */
export type Frontmatter = Record<string, unknown>;

/** Writes a `SKILL.md` as specified by Agent Skills: frontmatter, an empty line, the body. */
export function writeSkillFile(frontmatter: Frontmatter, body: string): string {
  const text = body.replace(/\r\n?/g, '\n').trim();
  return `---\n${writeYaml(frontmatter)}---\n\n${text === '' ? '' : `${text}\n`}`;
}

/** Rewrites the frontmatter; fields that are `undefined` are removed. The body is unchanged. */
export function changeFrontmatter(
  bytes: Uint8Array,
  change: (frontmatter: Frontmatter) => Frontmatter,
): string {
  const { fields, body } = readSkillDocument(bytes);
  return `---\n${writeYaml(change(frontmatterOf(fields)))}---\n\n${body}`;
}

/** Changes fields of the frontmatter and replaces the body. Other fields stay. */
export function rewriteSkillFile(bytes: Uint8Array, changed: Frontmatter, body: string): string {
  const { fields } = readSkillDocument(bytes);
  return writeSkillFile({ ...frontmatterOf(fields), ...changed }, body);
}

/** Renames a skill: changes only one line if the frontmatter is simple. */
export function renameSkill(bytes: Uint8Array, name: string): string {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
  const plain = /^(---[ \t]*\n(?:(?!---|name:).*\n)*)name:[ \t]*[^\s#|>&*!'"[{][^\n#]*(?=\n)/.exec(
    text,
  );
  const renamed = plain && `${plain[1]}name: ${name}${text.slice(plain[0].length)}`;
  if (renamed && nameOf(Buffer.from(renamed)) === name) {
    return renamed;
  }
  return changeFrontmatter(bytes, ({ name: _old, ...others }) => ({ name, ...others }));
}

function nameOf(bytes: Uint8Array): string | undefined {
  return readSkillDocument(bytes).fields.get('name')?.text;
}

/** Values as written, so that `version: 1.0` stays "1.0". */
function frontmatterOf(fields: Fields): Frontmatter {
  const known = [...fields].filter(([key]) => !unsafeKeys.has(key));
  return Object.fromEntries(
    known.map(([key, { text, entries, value }]) => [
      key,
      text ?? (key === 'metadata' && entries ? textEntries(entries, value) : value),
    ]),
  );
}

function textEntries(entries: Map<string, string | undefined>, value: unknown): Frontmatter {
  const values = typeof value === 'object' && value !== null ? value : {};
  const texts = [...entries].map(([key, text]) => [
    key,
    text ?? asText(Object.hasOwn(values, key) ? values[key as keyof typeof values] : ''),
  ]);
  return Object.fromEntries(texts);
}

/** Converts any value to text. */
export function asText(value: unknown): string {
  if (Array.isArray(value) && value.every((item) => typeof item !== 'object')) {
    return value.join(', ');
  }
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value ?? '');
}

function writeYaml(frontmatter: Frontmatter): string {
  const kept = Object.entries(frontmatter).filter(([, value]) => value !== undefined);
  return kept.length === 0 ? '' : stringify(Object.fromEntries(kept), { lineWidth: 0 });
}
