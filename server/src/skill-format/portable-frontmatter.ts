import { decodeText } from './decode-text.ts';
import { findFrontmatter } from './find-frontmatter.ts';
import type { Fields } from './parse-yaml.ts';
import { readSkillDocument } from './read-skill-document.ts';
import { slug } from './slug.ts';

/** What a portable skill may say beside its `SKILL.md`. */
interface PortableFields {
  name?: string | null | undefined;
  slug?: string | null | undefined;
  description?: string | null | undefined;
  category?: string | null | undefined;
  tags?: readonly string[] | null | undefined;
  version?: string | null | undefined;
  requiresTools?: readonly string[] | null | undefined;
}

/**
 * A `SKILL.md` with what only the fields beside it say. What its frontmatter says stays, and the text
 * stays byte for byte when nothing is missing.
 */
export function completeFrontmatter(text: string, fields: PortableFields): string {
  const document = readSkillDocument(Buffer.from(text));
  const added = [...missingMain(document.fields, fields), ...missingExtra(document.fields, fields)];
  const isRefused = document.diagnostics.some(({ code }) => code === 'frontmatter-engine-refused');
  if (added.length === 0 || isRefused) {
    return text;
  }
  const lines = decodeText(Buffer.from(text), []).split('\n');
  const found = findFrontmatter(lines, []);
  return found
    ? lines.toSpliced(found.end, 0, ...added).join('\n')
    : ['---', ...added, '---', '', text].join('\n');
}

function missingMain(present: Fields, { name, slug: id, description }: PortableFields): string[] {
  const lacks = (key: string) => !present.get(key)?.text?.trim();
  return [
    ...(name && lacks('name') ? [`name: ${JSON.stringify(slug(id ?? '') || slug(name))}`] : []),
    ...(description && lacks('description') ? [`description: ${JSON.stringify(description)}`] : []),
  ];
}

/** The specification has no fields for these: they are under `metadata`, when that is free. */
function missingExtra(present: Fields, fields: PortableFields): string[] {
  const { category, tags, version, requiresTools } = fields;
  const metadata = present.get('metadata');
  const lines = Object.entries({
    category,
    tags: tags?.join(', '),
    version,
    'requires-tools': requiresTools?.join(', '),
  })
    .filter(([key, value]) => value && !isPresent(present, key))
    .map(([key, value]) => `${key}: ${JSON.stringify(value)}`);
  return metadata || lines.length === 0
    ? lines
    : ['metadata:', ...lines.map((line) => `  ${line}`)];
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
