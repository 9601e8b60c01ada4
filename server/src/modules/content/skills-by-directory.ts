import { slug } from '@knowhow/shared/skills/skill-name';
import type { SkillsConfig } from '@knowhow/shared/skills/skills-config';

type Entry = NonNullable<SkillsConfig['skills']>[string];

/** ID of the skill that an entry applies to: the name of its `directory`, if set, else its key. */
export function skillOfEntry(key: string, entry: Pick<Entry, 'directory'>): string {
  const folder = entry.directory?.split('/').findLast((part) => part !== '' && part !== '.');
  return (folder === undefined ? '' : slug(folder)) || key;
}

/** Keys the entries by skill ID. Fields of the entry under the ID itself take precedence. */
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
