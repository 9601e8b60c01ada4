import type { SkillsConfig } from '@knowhow/shared/skills/skills-config';
import { slug } from '../skill-format/skill-format.ts';

type Entry = NonNullable<SkillsConfig['skills']>[string];

/** The id of the skill that an entry is about: its `directory`, where it names one, else its key. */
export function skillOfEntry(key: string, entry: Pick<Entry, 'directory'>): string {
  const folder = entry.directory?.split('/').findLast((part) => part !== '' && part !== '.');
  return (folder === undefined ? '' : slug(folder)) || key;
}

/** With its entries by the ids of their skills. What is said under the id itself counts before the rest. */
export function skillsByDirectory(config: SkillsConfig): SkillsConfig {
  const entries = Object.entries(config.skills ?? {});
  if (entries.every(([key, entry]) => skillOfEntry(key, entry) === key)) {
    return config;
  }
  const skills = new Map<string, Entry>();
  for (const [key, entry] of entries) {
    const id = skillOfEntry(key, entry);
    const known = skills.get(id);
    skills.set(id, key === id ? { ...known, ...entry } : { ...entry, ...known });
  }
  return { ...config, skills: Object.fromEntries(skills) };
}
