import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

export const manySkills = 10_000;

/** Replaces the contents of a folder with generated skills. Returns the paths of their files. */
export async function writeSkills(folder: string): Promise<string[]> {
  await rm(folder, { recursive: true });
  const files: string[] = [];
  for (let index = 0; index < manySkills; index++) {
    const file = join(folder, `skill-${index}`, 'SKILL.md');
    await mkdir(join(folder, `skill-${index}`), { recursive: true });
    await writeFile(file, skillText(index));
    files.push(file);
  }
  return files;
}

/** A `SKILL.md` of about 2 kB. */
export function skillText(index: number, diagnostic = ''): string {
  const fields = [
    `name: skill-${index}`,
    `description: Does task ${index} the way we do it. Use when a user asks for task ${index}, its parts or its cost.${diagnostic}`,
    'license: MIT',
    'metadata:',
    '  author: bench',
    `  version: "1.${index}"`,
  ];
  const steps = '1. Look at what is there, then do the next thing with care.\n'.repeat(25);
  return `---\n${fields.join('\n')}\n---\n\n# Task ${index}\n\n${steps}`;
}
