import { basename } from 'node:path';
import { builtInVariables } from '@knowhow/shared/access/user-variables';
import { appColors, appIcons, getAppLook } from '@knowhow/shared/config/app-look';
import type { ContentIssue } from '@knowhow/shared/config/health';
import { listPlaceholders } from '@knowhow/shared/skills/named-placeholders';
import { noRunner, noScripts, type SkillsConfig } from '@knowhow/shared/skills/skills-config';
import type { Contents } from './contents.ts';

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

/** Issues for placeholders in apps' prompts that nothing fills, so that models would see them literally. */
export function unresolvedPlaceholders({ apps }: Pick<Contents, 'apps'>): ContentIssue[] {
  return [...apps.values()].flatMap(({ id, system = '', userVariables }) => {
    const known = new Set<string>([...builtInVariables, ...userVariables.map(({ name }) => name)]);
    const texts = typeof system === 'string' ? [system] : Object.values(system);
    const unknown = new Set(texts.flatMap(listPlaceholders).filter((name) => !known.has(name)));
    return [...unknown].map((name) => ({
      path: `contents/apps/${id}.json`,
      field: 'system',
      message: `Nothing fills {{${name}}}: models get it unchanged. Add it to "userVariables", or remove it.`,
      isUsed: true,
    }));
  });
}

/** Issues for unknown icons and colours of apps, which are then shown without them. */
export function invalidAppIcons({ apps }: Pick<Contents, 'apps'>): ContentIssue[] {
  return [...apps.values()].flatMap(({ id, icon, color }) => {
    const look = getAppLook({ icon, color });
    const at = { path: `contents/apps/${id}.json`, isUsed: true };
    return [
      ...(icon !== undefined && look.icon === undefined
        ? [{ ...at, field: 'icon', message: noIcon }]
        : []),
      ...(color !== undefined && look.color === undefined
        ? [{ ...at, field: 'color', message: noColor }]
        : []),
    ];
  });
}

const noIcon = `There is no such icon: the app is shown without. Write one emoji, or one of ${appIcons.join(', ')}.`;
const noColor = `There is no such colour, so the app has none. Use one of ${appColors.join(', ')}, or a hex colour such as #0f766e; the nearest one is used.`;
