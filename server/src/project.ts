import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Root of the project: two folders above both this file and the bundle. */
export const projectDirectory = fileURLToPath(new URL('../..', import.meta.url));

export function readVersion(): string {
  const text = readFileSync(join(projectDirectory, 'package.json'), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}

/** Built-in skills of this version, in an image; elsewhere they are only in `contents/`. */
export function builtinSkills(): string | undefined {
  const directory = join(projectDirectory, 'builtin/skills');
  return existsSync(directory) ? directory : undefined;
}
