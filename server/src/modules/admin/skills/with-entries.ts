import { isRecord } from '@knowhow/shared/is-record';
import type { SkillsConfig } from '@knowhow/shared/skills/skills-config';
import type { RawConfig } from '../../content/index.ts';

type Entry = NonNullable<SkillsConfig['skills']>[string];

/** `config/skills.json` with the same settings for each of these skills. */
export function withEntries(raw: RawConfig, names: readonly string[], decided: Entry): RawConfig {
  const entries = new Map(Object.entries(isRecord(raw.skills) ? raw.skills : {}));
  for (const name of names) {
    const known = entries.get(name);
    entries.set(name, { ...(isRecord(known) ? known : {}), ...decided });
  }
  return { ...raw, skills: Object.fromEntries(entries) };
}
