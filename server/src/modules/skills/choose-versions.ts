import type { AppConfig } from '@knowhow/shared/config/app-config';
import type { SkillsConfig } from '@knowhow/shared/skills/skills-config';
import { offerTest } from './offer-in-app.ts';

/** The version of a skill that a caller gets instead of the published one. */
export interface ChosenVersion {
  number: number;
  /** Whether the skill is missing if the version cannot be offered; otherwise the published one counts. */
  isRequired: boolean;
}

interface Choice {
  apps: readonly AppConfig[];
  config: SkillsConfig;
  /** Ids of the caller's groups. */
  groups: readonly string[];
}

/**
 * The versions that replace published ones, by skill id. A pin counts if all apps that offer the
 * skill agree. A preview counts for members of its groups if no app that offers the skill pins it.
 */
export function chooseVersions({
  apps,
  config,
  groups,
}: Choice): ReadonlyMap<string, ChosenVersion> {
  const { previews = {} } = config;
  const previewed = Object.entries(previews).filter(([, preview]) =>
    preview.groups.some((group) => groups.includes(group)),
  );
  const pinned = new Set(apps.flatMap(({ pins }) => [...pins.keys()]));
  if (pinned.size === 0 && previewed.length === 0) {
    return none;
  }
  const offers = apps.map((app) => ({ app, isOffered: offerTest([app]) }));
  const chosen = new Map<string, ChosenVersion>();
  for (const [name, { version }] of previewed) {
    if (!pinned.has(name)) {
      chosen.set(name, { number: version, isRequired: false });
    }
  }
  for (const name of pinned) {
    const global = isGlobal(name, config);
    const offering = offers.filter(({ isOffered }) => isOffered({ name, global }));
    const numbers = new Set(offering.map(({ app }) => app.pins.get(name)));
    const [number] = numbers;
    if (numbers.size === 1 && number !== undefined) {
      chosen.set(name, { number, isRequired: true });
    }
  }
  return chosen;
}

const none: ReadonlyMap<string, ChosenVersion> = new Map();

function isGlobal(name: string, { skills = {} }: SkillsConfig): boolean {
  return Object.hasOwn(skills, name) && skills[name]?.global === true;
}
