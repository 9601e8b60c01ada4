import type { DiagnosticCode } from './diagnostics.ts';
import { isOfFileName } from './file-name-diagnostic.ts';
import { specifiedFields } from './judge-skill.ts';
import { parseSkill } from './parse-skill.ts';
import { asText, changeFrontmatter, type Frontmatter, renameSkill } from './write-skill-file.ts';

type Fix = (bytes: Uint8Array, id: string) => string;

const rewrite: Fix = (bytes) => changeFrontmatter(bytes, (frontmatter) => frontmatter);
const rename: Fix = renameSkill;
const describe: Fix = (bytes, id) => {
  const { description } = parseSkill(bytes, id).skill;
  return changeFrontmatter(bytes, ({ name, description: _old, ...others }) => ({
    name: name ?? id,
    description,
    ...others,
  }));
};

/** Automatic fixes. */
const fixes: Partial<Record<DiagnosticCode, Fix>> = {
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
 * Whether `fixSkill` can fix a diagnostic. A wrong file name is fixed by renaming the file.
 *
 * @param description the skill's description, from which a missing one is generated
 */
export function isFixable(code: string, description: string): boolean {
  const needsDescription = fixes[code as DiagnosticCode] === describe;
  return (
    isOfFileName(code) || (Object.hasOwn(fixes, code) && (!needsDescription || description !== ''))
  );
}

/**
 * The `SKILL.md` of a skill with one kind of issue fixed; undefined if only a person can fix it.
 */
export function fixSkill(bytes: Uint8Array, id: string, code: string): string | undefined {
  return Object.hasOwn(fixes, code) ? fixes[code as DiagnosticCode]?.(bytes, id) : undefined;
}

/**
 * Moves fields that the specification does not name below `metadata`. Existing entries there take
 * precedence.
 */
function moveUnknown(frontmatter: Frontmatter): Frontmatter {
  const entries = Object.entries(frontmatter);
  const known = entries.filter(([key]) => specifiedFields.has(key) && key !== 'metadata');
  const unknown = entries.filter(([key]) => !specifiedFields.has(key));
  const { metadata } = frontmatter;
  const own = typeof metadata === 'object' && metadata !== null ? metadata : {};
  const moved = Object.fromEntries(unknown.map(([key, value]) => [key, asText(value)]));
  const all = { ...moved, ...own };
  // Unsafe keys may leave none.
  return { ...Object.fromEntries(known), metadata: Object.keys(all).length > 0 ? all : undefined };
}
