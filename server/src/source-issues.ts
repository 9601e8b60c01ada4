import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { ContentIssue } from '@knowhow/shared/config/health';
import {
  describeLeftOut,
  type ScanLimits,
  type SkillSource,
  type SkillSources,
} from './modules/skills/index.ts';

export const skillsConfigPath = 'contents/config/skills.json';

/** Issues that keep skills of some sources from being read. */
export function findSourceIssues(
  found: SkillSources,
  sources: readonly SkillSource[],
  limits: ScanLimits,
): ContentIssue[] {
  const leftOut = sources.flatMap((source) =>
    describeLeftOut(source.status().leftOut, limits).map((message) => ({
      path: source.location,
      message,
    })),
  );
  const refused = found.refused.map(({ field, message }) => ({ field, message }));
  const ofFields = [...refused, ...findInvalidSources(found, sources)];
  const ofConfig = ofFields.map((fault) => ({ path: skillsConfigPath, ...fault }));
  return [...ofConfig, ...findInvalidExtras(found, sources), ...leftOut].map((fault) => ({
    ...fault,
    isUsed: true,
  }));
}

/** Folders of `settings.sources` that are missing, invalid, or without skills. */
export function findInvalidSources(
  { configured }: SkillSources,
  sources: readonly SkillSource[],
): { field: string; message: string }[] {
  const known = new Map(sources.map((source) => [source.location, source]));
  return [...configured].flatMap(([field, directory]) => {
    const state = known.get(directory)?.status();
    if (!state || (state.isThere && state.hasSkills)) {
      return [];
    }
    const message = state.isThere
      ? `${noSkill(directory)} Put a skill there, or take the path out of settings.sources.`
      : `${wrongPath(directory)} Create the folder, or take it out of settings.sources.`;
    return [{ field, message }];
  });
}

/** Folders of `SKILLS_EXTRA_DIRS` that are missing or without skills. */
export function findInvalidExtras(
  found: SkillSources,
  sources: readonly SkillSource[],
): { path: string; message: string }[] {
  const extras = new Set(found.sources.map(({ directory }) => directory));
  for (const other of [found.local.directory, ...found.configured.values()]) {
    extras.delete(other);
  }
  return sources
    .filter((source) => extras.has(source.location))
    .flatMap((source) => {
      const { isThere, hasSkills } = source.status();
      if (isThere && hasSkills) {
        return [];
      }
      const message = isThere
        ? `${noSkill(source.location)} Put a skill there, or take the path out of SKILLS_EXTRA_DIRS.`
        : `${wrongPath(source.location)} Its skills are read once the folder is there.`;
      return [{ path: 'SKILLS_EXTRA_DIRS', message }];
    });
}

function noSkill(directory: string): string {
  return `SKILL.md not found at ${join(directory, 'SKILL.md')}, nor in a folder below.`;
}

/** Why a path is not a folder. */
function wrongPath(path: string): string {
  return existsSync(path)
    ? `Skill path not found or not a directory: ${path}.`
    : `Skill path does not exist: ${path}.`;
}

/** An issue as one line: where, what, and how to fix it. */
export function describeSourceIssue({
  path,
  field,
  message,
}: Omit<ContentIssue, 'isUsed'>): string {
  return `${path}${field ? `, field ${field}` : ''}: ${message}`;
}
