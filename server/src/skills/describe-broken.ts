import { relative } from 'node:path';
import type { Diagnostic } from '@knowhow/shared/skills';
import type { SkillSnapshot } from './skill-snapshot.ts';
import type { SkillSource } from './skill-source.ts';

/** One line for each error that keeps a skill from being offered: where, what, and what to do. */
export function describeBroken({ skills, shadowed, unreadable }: SkillSnapshot): string[] {
  const read = [...skills.values(), ...shadowed].flatMap((skill) =>
    skill.diagnostics.map((diagnostic) => ({ ...skill, diagnostic })),
  );
  return [...read, ...unreadable]
    .filter(({ diagnostic }) => diagnostic.severity === 'error')
    .map(({ source, directory, diagnostic }) => describe(source, directory, diagnostic));
}

function describe(source: SkillSource, directory: string, diagnostic: Diagnostic): string {
  const { line, message, fix } = diagnostic;
  const place = relative(source.directory, directory) || '.';
  return `${place}/SKILL.md${line === undefined ? '' : `:${line}`}: ${message} ${fix ?? ''}`.trim();
}
