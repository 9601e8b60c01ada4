import { folderSource } from '../modules/skills/store/folder-source.ts';
import type { SkillLocation } from '../modules/skills/store/skill-source.ts';

/** The text of a `SKILL.md`. */
export function skillFile(
  name: string,
  description: string,
  body = `# ${name}\n\n1. Do the first thing.\n2. Do the second thing.\n`,
): string {
  return `---\nname: ${name}\ndescription: ${description}\n---\n\n${body}`;
}

/** A folder on disk as the location of a skill. */
export function toSkillLocation(directory: string): SkillLocation {
  return { source: folderSource({ kind: 'local', directory, recursive: false }), path: '' };
}
