import type { AppConfig } from '@knowhow/shared/config/app-config';
import type { SkillsConfig } from '@knowhow/shared/skills/skills-config';

/** Numbers of versions by skill id. */
export type WantedVersions = ReadonlyMap<string, ReadonlySet<number>>;

interface Configuration {
  apps: ReadonlyMap<string, Pick<AppConfig, 'pins'>>;
  skills: Pick<SkillsConfig, 'previews'>;
}

/** The versions that apps pin, enabled or not, and those in preview. Cached per configuration. */
export function findWantedVersions(configuration: Configuration): WantedVersions {
  const known = cache.get(configuration);
  if (known) {
    return known;
  }
  const wanted = new Map<string, Set<number>>();
  const add = (skill: string, number: number) => {
    wanted.set(skill, (wanted.get(skill) ?? new Set()).add(number));
  };
  for (const { pins } of configuration.apps.values()) {
    for (const [skill, number] of pins) {
      add(skill, number);
    }
  }
  for (const [skill, { version }] of Object.entries(configuration.skills.previews ?? {})) {
    add(skill, version);
  }
  cache.set(configuration, wanted);
  return wanted;
}

const cache = new WeakMap<Configuration, WantedVersions>();
