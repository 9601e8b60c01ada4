import type { DiagnosticCode } from '../skill-format/skill-format.ts';
import type { SkillSnapshot } from './skill-snapshot.ts';
import { type BrokenSkill, fullPathOf, type SkillLocation } from './skill-source.ts';

/** Diagnostics that a strict start refuses in addition to errors: wrong names, and repaired frontmatter. */
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
 * One line for each error that keeps a skill from being offered: where, what, and what to do.
 *
 * @param isStrict also for what a strict start refuses
 */
export function describeBroken(
  { skills, shadowed, unreadable }: SkillSnapshot,
  { isStrict = false }: { isStrict?: boolean } = {},
): string[] {
  const read = [...skills.values(), ...shadowed].flatMap((skill) =>
    skill.diagnostics.map((diagnostic) => ({ ...skill, diagnostic })),
  );
  return [...read, ...unreadable]
    .filter(
      ({ diagnostic }) =>
        diagnostic.severity === 'error' || (isStrict && refusedStrictly.has(diagnostic.code)),
    )
    .map(describeDiagnostic);
}

/** A diagnostic of a skill, with its path. */
export function describeDiagnostic({ source, path, diagnostic }: BrokenSkill): string {
  const { line, message, fix } = diagnostic;
  const file = pathToTell({ source, path });
  return `${file}${line === undefined ? '' : `:${line}`}: ${message} ${fix ?? ''}`.trim();
}

/**
 * The path of a skill's `SKILL.md`, for the log: from the folder of local skills, else the whole one,
 * since there may be several other sources.
 */
export function pathToTell({ source, path }: SkillLocation): string {
  const folder = source.kind === 'local' ? path : fullPathOf({ source, path });
  return folder === '' ? 'SKILL.md' : `${folder}/SKILL.md`;
}
