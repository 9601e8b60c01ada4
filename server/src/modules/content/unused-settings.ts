import { basename } from 'node:path';
import type { ContentIssue } from '@knowhow/shared/config/health';
import { noRunner, noScripts, type SkillsConfig } from '@knowhow/shared/skills/skills-config';

const path = 'contents/config/skills.json';

/**
 * Issues for settings in `skills.json` that have no effect.
 *
 * @param hasRunner whether scripts can be run
 */
export function unusedSettings(
  { settings, skills = {} }: SkillsConfig,
  hasRunner: boolean,
): ContentIssue[] {
  const isPossible = hasRunner && settings.allowScriptExecution;
  const message = hasRunner ? noScripts : noRunner;
  const scripts = Object.entries({ settings, ...addPrefix(skills) })
    .filter(([, entry]) => entry?.allowScriptExecution === true && !isPossible)
    .map(([field]) => ({ field: `${field}.allowScriptExecution`, message }));
  const misnamedEntries = Object.entries(skills).flatMap(([id, { directory }]) =>
    typeof directory === 'string' && basename(directory) !== id
      ? [{ field: `skills.${id}.directory`, message: describeMisnamed(id, basename(directory)) }]
      : [],
  );
  return [...scripts, ...misnamedEntries].map((fault) => ({ path, ...fault, isUsed: true }));
}

function addPrefix(skills: NonNullable<SkillsConfig['skills']>) {
  return Object.fromEntries(Object.entries(skills).map(([id, entry]) => [`skills.${id}`, entry]));
}

function describeMisnamed(id: string, folder: string): string {
  return `The settings of a skill go by the name of its folder. Call this entry "${folder}" instead of "${id}".`;
}
