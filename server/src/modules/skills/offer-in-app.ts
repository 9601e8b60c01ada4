import type { AppConfig } from '@knowhow/shared/config/app-config';

type Rule = 'listed' | 'all-listed' | 'global' | 'excluded' | 'not-in-app';

/**
 * The rule by which an app does or does not offer a skill. Explicitly listed skills are always
 * offered.
 */
export function offerInApp(
  { skills = [], skillSettings }: AppConfig,
  { name, global }: { name: string; global: boolean },
): Rule {
  if (skills.includes(name)) {
    return 'listed';
  }
  const rule = skills.includes('*') ? 'all-listed' : global ? 'global' : 'not-in-app';
  const isExcluded = rule !== 'not-in-app' && skillSettings.exclude?.includes(name);
  return isExcluded ? 'excluded' : rule;
}

export function isOffered(rule: Rule): boolean {
  return rule !== 'excluded' && rule !== 'not-in-app';
}

/** Returns a test whether any of the apps offers a skill, prepared for thousands of skills. */
export function offerTest(
  apps: readonly AppConfig[],
): (skill: { name: string; global: boolean }) => boolean {
  const plain = apps.filter((app) => !app.skillSettings.exclude?.length);
  const listed = new Set(plain.flatMap(({ skills = [] }) => skills));
  const others = apps.filter((app) => !plain.includes(app)).map(setsOf);
  return ({ name, global }) =>
    listed.has('*') ||
    listed.has(name) ||
    (global && plain.length > 0) ||
    others.some(
      (app) => app.listed.has(name) || ((app.listed.has('*') || global) && !app.excluded.has(name)),
    );
}

function setsOf({ skills, skillSettings }: AppConfig) {
  return { listed: new Set(skills), excluded: new Set(skillSettings.exclude) };
}
