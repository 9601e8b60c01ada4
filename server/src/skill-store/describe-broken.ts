import { relative } from 'node:path';
import type { BrokenSkill, SkillSnapshot } from './skill-snapshot.ts';

/** One line for each error that keeps a skill from being offered: where, what, and what to do. */
export function describeBroken({ skills, shadowed, unreadable }: SkillSnapshot): string[] {
  const read = [...skills.values(), ...shadowed].flatMap((skill) =>
    skill.diagnostics.map((diagnostic) => ({ ...skill, diagnostic })),
  );
  return [...read, ...unreadable]
    .filter(({ diagnostic }) => diagnostic.severity === 'error')
    .map(describeRemark);
}

/** A diagnostic of a skill, with the path in its source. */
export function describeRemark({ source, directory, diagnostic }: BrokenSkill): string {
  const { line, message, fix } = diagnostic;
  const place = relative(source.directory, directory) || '.';
  return `${place}/SKILL.md${line === undefined ? '' : `:${line}`}: ${message} ${fix ?? ''}`.trim();
}
