import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Where the product is: the bundle is two folders below it, as this file is. */
export const projectDirectory = fileURLToPath(new URL('../..', import.meta.url));

export function readVersion(): string {
  const text = readFileSync(join(projectDirectory, 'package.json'), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}

/** The skills that this version brings, where they are not in `contents/` alone: in an image. */
export function builtinSkills(): string | undefined {
  const directory = join(projectDirectory, 'builtin/skills');
  return existsSync(directory) ? directory : undefined;
}
