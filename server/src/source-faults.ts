import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { ContentFault } from '@knowhow/shared/health';
import { describeLeftOut } from './skill-store/describe-left-out.ts';
import type { ScanLimits } from './skill-store/scan-limits.ts';
import type { SkillSources } from './skill-store/skill-source.ts';
import type { SourceState } from './skill-store/skill-store.ts';

export const skillsConfigPath = 'contents/config/skills.json';

/** What keeps skills of some sources from being read. */
export function faultsOfSources(
  found: SkillSources,
  states: readonly SourceState[],
  limits: ScanLimits,
): ContentFault[] {
  const leftOut = states.flatMap(({ source: { directory }, leftOut }) =>
    describeLeftOut(leftOut, limits).map((message) => ({ path: directory, message })),
  );
  const refused = found.refused.map(({ field, message }) => ({ field, message }));
  const ofFields = [...refused, ...wrongSources(found, states)];
  const ofConfig = ofFields.map((fault) => ({ path: skillsConfigPath, ...fault }));
  return [...ofConfig, ...missingExtras(found, states), ...leftOut].map((fault) => ({
    ...fault,
    isUsed: true,
  }));
}

/** The folders of `settings.sources` that are not there, are none, or hold no skill. */
export function wrongSources(
  { configured }: SkillSources,
  states: readonly SourceState[],
): { field: string; message: string }[] {
  const known = new Map(states.map((state) => [state.source.directory, state]));
  return [...configured].flatMap(([field, directory]) => {
    const state = known.get(directory);
    if (!state || (state.isThere && state.hasSkills)) {
      return [];
    }
    const message = state.isThere
      ? `SKILL.md not found at ${join(directory, 'SKILL.md')}, nor in a folder below. Put a skill there, or take the path out of settings.sources.`
      : `${wrongPath(directory)} Create the folder, or take it out of settings.sources.`;
    return [{ field, message }];
  });
}

/** The folders of `SKILLS_EXTRA_DIRS` that are not there. */
function missingExtras({ configured, local }: SkillSources, states: readonly SourceState[]) {
  const others = new Set([local.directory, ...configured.values()]);
  return states
    .filter(({ source, isThere }) => !isThere && !others.has(source.directory))
    .map(({ source: { directory } }) => ({
      path: 'SKILLS_EXTRA_DIRS',
      message: `${wrongPath(directory)} Its skills are read once the folder is there.`,
    }));
}

/** What is wrong with a path at which there is no folder. */
function wrongPath(path: string): string {
  return existsSync(path)
    ? `Skill path not found or not a directory: ${path}.`
    : `Skill path does not exist: ${path}.`;
}

/** A fault as one line: where, what, and what to do. */
export function describeFault({ path, field, message }: Omit<ContentFault, 'isUsed'>): string {
  return `${path}${field ? `, field ${field}` : ''}: ${message}`;
}
