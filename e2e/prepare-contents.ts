import { cp, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { repositoryRoot } from './start-knowhow.ts';

/** A skill that only admins can see. */
export const hiddenSkill = 'payroll-bands';

/**
 * Adds the skills and prompts of `e2e/contents`, one skill for admins only. All users may see the traces of
 * their answers.
 */
export async function addTestContents(contentsDir: string): Promise<void> {
  await cp(join(repositoryRoot, 'e2e', 'contents'), contentsDir, { recursive: true });
  await hideSkills(contentsDir, [hiddenSkill]);
  await showTraces(join(contentsDir, 'apps', 'chat.json'));
}

async function showTraces(path: string): Promise<void> {
  const app: object = JSON.parse(await readFile(path, 'utf8'));
  await writeFile(path, JSON.stringify({ ...app, showTrace: true }, null, 2));
}

interface GroupsFile {
  groups: Record<string, { permissions: { skills: string[] } }>;
}

/** Grants every group except the admins all skills but these. */
export async function hideSkills(contentsDir: string, hidden: string[]): Promise<void> {
  const skills = await readdir(join(contentsDir, 'skills'));
  const path = join(contentsDir, 'config', 'groups.json');
  const file = JSON.parse(await readFile(path, 'utf8')) as GroupsFile;
  for (const [id, group] of Object.entries(file.groups)) {
    if (id !== 'admins') {
      group.permissions.skills = skills.filter((name) => !hidden.includes(name));
    }
  }
  await writeFile(path, JSON.stringify(file, null, 2));
}
