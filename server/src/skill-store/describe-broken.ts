import { join, relative } from 'node:path';
import type { BrokenSkill, SkillSnapshot } from './skill-snapshot.ts';

/** One line for each error that keeps a skill from being offered: where, what, and what to do. */
export function describeBroken({ skills, shadowed, unreadable }: SkillSnapshot): string[] {
  const read = [...skills.values(), ...shadowed].flatMap((skill) =>
    skill.diagnostics.map((diagnostic) => ({ ...skill, diagnostic })),
  );
  return [...read, ...unreadable]
    .filter(({ diagnostic }) => diagnostic.severity === 'error')
    .map(describeDiagnostic);
}

/** A diagnostic of a skill, with its path. */
export function describeDiagnostic({ source, directory, diagnostic }: BrokenSkill): string {
  const { line, message, fix } = diagnostic;
  const file = pathToTell({ source, directory });
  return `${file}${line === undefined ? '' : `:${line}`}: ${message} ${fix ?? ''}`.trim();
}

/**
 * The path of a skill's `SKILL.md`, for the log: from the folder of local skills, else the whole one,
 * since there may be several other folders.
 */
export function pathToTell({
  source,
  directory,
}: Pick<BrokenSkill, 'source' | 'directory'>): string {
  const folder = source.kind === 'local' ? relative(source.directory, directory) || '.' : directory;
  return join(folder, 'SKILL.md');
}
