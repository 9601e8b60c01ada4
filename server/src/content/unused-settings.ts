import { basename } from 'node:path';
import type { ContentFault } from '@knowhow/shared/health';
import { noRunner, type SkillsConfig } from '@knowhow/shared/skills-config';

const path = 'contents/config/skills.json';

/** What `skills.json` asks for and does not get: all else in it is used. */
export function unusedSettings({ settings, skills = {} }: SkillsConfig): ContentFault[] {
  const asked = { settings, ...prefixed(skills) };
  const scripts = Object.entries(asked)
    .filter(([, entry]) => entry?.allowScriptExecution === true)
    .map(([field]) => ({ field: `${field}.allowScriptExecution`, message: noRunner }));
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
