import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { systemPath } from './git-server.ts';

/** The path of a program of the system; undefined if it is not installed. */
export function systemProgram(name: string): string | undefined {
  const folders = [...systemPath.split(delimiter), '/usr/sbin'];
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path));
}

/** Whether signatures of ssh can be made and checked. */
export const hasSshKeygen = systemProgram('ssh-keygen') !== undefined;

if (!hasSshKeygen) {
  process.stderr.write('NOT TESTED: no ssh-keygen available, so signed commits are untested.\n');
}
