import type { DiagnosticCode } from './diagnostics.ts';
import { isOfFileName } from './file-name-diagnostic.ts';
import { specifiedFields } from './judge-skill.ts';
import { parseSkill } from './parse-skill.ts';
import { asText, changeFrontmatter, type Frontmatter, renameSkill } from './write-skill-file.ts';

type Mend = (bytes: Uint8Array, id: string) => string;

const rewrite: Mend = (bytes) => changeFrontmatter(bytes, (frontmatter) => frontmatter);
const rename: Mend = renameSkill;
const describe: Mend = (bytes, id) => {
  const { description } = parseSkill(bytes, id).skill;
  return changeFrontmatter(bytes, ({ name, description: _old, ...others }) => ({
    name: name ?? id,
    description,
    ...others,
  }));
};

/** What a machine can mend without asking anything, and how. */
const mends: Partial<Record<DiagnosticCode, Mend>> = {
  encoding: rewrite,
  utf16: rewrite,
  'byte-order-mark': rewrite,
  'control-characters': rewrite,
  'line-endings': rewrite,
  'frontmatter-late': rewrite,
  'frontmatter-fenced': rewrite,
  'frontmatter-unopened': rewrite,
  'frontmatter-unclosed': rewrite,
  'frontmatter-missing': describe,
  'yaml-duplicate-keys': rewrite,
  'yaml-tabs': rewrite,
  'yaml-quoted': rewrite,
  'yaml-invalid': rewrite,
  'name-missing': rename,
  'name-invalid': rename,
  'name-directory-mismatch': rename,
  'description-missing': describe,
  'description-in-body': describe,
  'metadata-not-text': rewrite,
  'unknown-field': (bytes) => changeFrontmatter(bytes, moveUnknown),
};

/**
 * Whether `mendSkill` can mend a remark on a skill. One on the name of the file is mended by renaming it.
 *
 * @param description the skill's, which a missing one is made of
 */
export function isMendable(code: string, description: string): boolean {
  const needsDescription = mends[code as DiagnosticCode] === describe;
  return (
    isOfFileName(code) || (Object.hasOwn(mends, code) && (!needsDescription || description !== ''))
  );
}

/** The `SKILL.md` of the skill `id` with one kind of fault mended; undefined where it takes a person. */
export function mendSkill(bytes: Uint8Array, id: string, code: string): string | undefined {
  return Object.hasOwn(mends, code) ? mends[code as DiagnosticCode]?.(bytes, id) : undefined;
}

/** Fields that the specification does not name go below `metadata`, which keeps what it has. */
function moveUnknown(frontmatter: Frontmatter): Frontmatter {
  const entries = Object.entries(frontmatter);
  const known = entries.filter(([key]) => specifiedFields.has(key) && key !== 'metadata');
  const unknown = entries.filter(([key]) => !specifiedFields.has(key));
  const { metadata } = frontmatter;
  const own = typeof metadata === 'object' && metadata !== null ? metadata : {};
  const moved = Object.fromEntries(unknown.map(([key, value]) => [key, asText(value)]));
  const all = { ...moved, ...own };
  // None is left of what is never read.
  return { ...Object.fromEntries(known), metadata: Object.keys(all).length > 0 ? all : undefined };
}
