import type { DiagnosticCode } from '@knowhow/skill-format';
import type { SkillSnapshot } from './skill-snapshot.ts';
import { type BrokenSkill, getFullPath, type SkillLocation } from './skill-source.ts';

/**
 * Diagnostics that abort a strict start in addition to errors: wrong names, and repaired
 * frontmatter.
 */
const refusedStrictly: ReadonlySet<string> = new Set<DiagnosticCode>([
  'name-missing',
  'name-invalid',
  'name-directory-mismatch',
  'frontmatter-late',
  'frontmatter-fenced',
  'frontmatter-unopened',
  'frontmatter-unclosed',
  'yaml-duplicate-keys',
  'yaml-tabs',
  'yaml-quoted',
  'yaml-unclosed',
  'yaml-invalid',
  'merge-conflict',
]);

/**
 * One line for each error that disables a skill: where, what, and what to do.
 *
 * @param isStrict includes what aborts a strict start
 */
export function describeBroken(
  { skills, shadowed, unreadable }: SkillSnapshot,
  { isStrict = false }: { isStrict?: boolean } = {},
): string[] {
  const loaded = [...skills.values(), ...shadowed].flatMap((skill) =>
    skill.diagnostics.map((diagnostic) => ({ ...skill, diagnostic })),
  );
  return [...loaded, ...unreadable]
    .filter(
      ({ diagnostic }) =>
        diagnostic.severity === 'error' || (isStrict && refusedStrictly.has(diagnostic.code)),
    )
    .map(describeDiagnostic);
}

/** Describes a diagnostic of a skill, with its path. */
export function describeDiagnostic({ source, path, diagnostic }: BrokenSkill): string {
  const { line, message, fix } = diagnostic;
  const file = pathToTell({ source, path });
  return `${file}${line === undefined ? '' : `:${line}`}: ${message} ${fix ?? ''}`.trim();
}

/**
 * The path of a `SKILL.md` for the log: relative for local skills, otherwise absolute, because
 * there may be several sources.
 */
export function pathToTell({ source, path }: SkillLocation): string {
  const folder = source.kind === 'local' ? path : getFullPath({ source, path });
  return folder === '' ? 'SKILL.md' : `${folder}/SKILL.md`;
}
