import { basename } from 'node:path';
import type { ContentFault } from '@knowhow/shared/config/health';
import { noRunner, noScripts, type SkillsConfig } from '@knowhow/shared/skills/skills-config';

const path = 'contents/config/skills.json';

/**
 * What `skills.json` asks for and does not get: all else in it is used.
 *
 * @param hasRunner whether anything can run scripts
 */
export function unusedSettings(
  { settings, skills = {} }: SkillsConfig,
  hasRunner: boolean,
): ContentFault[] {
  const isPossible = hasRunner && settings?.allowScriptExecution === true;
  const message = hasRunner ? noScripts : noRunner;
  const scripts = Object.entries({ settings, ...prefixed(skills) })
    .filter(([, entry]) => entry?.allowScriptExecution === true && !isPossible)
    .map(([field]) => ({ field: `${field}.allowScriptExecution`, message }));
  const elsewhere = Object.entries(skills).flatMap(([id, { directory }]) =>
    typeof directory === 'string' && basename(directory) !== id
      ? [{ field: `skills.${id}.directory`, message: misnamed(id, basename(directory)) }]
      : [],
  );
  return [...scripts, ...elsewhere].map((fault) => ({ path, ...fault, isUsed: true }));
}

function prefixed(skills: NonNullable<SkillsConfig['skills']>) {
  return Object.fromEntries(Object.entries(skills).map(([id, entry]) => [`skills.${id}`, entry]));
}

function misnamed(id: string, folder: string): string {
  return `The settings of a skill go by the name of its folder. Call this entry "${folder}" instead of "${id}".`;
}
