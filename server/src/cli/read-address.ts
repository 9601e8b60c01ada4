import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Problem } from '@knowhow/shared/problem';
import { allowVariables, openContentStore } from '../modules/content/index.ts';
import { createGitReader, parseGitAddress, type ReadSources } from '../modules/skills/index.ts';
import { createGuardedFetch } from '../platform/lib/guarded-fetch.ts';
import type { Terminal } from './terminal.ts';
import { UsageError } from './usage-error.ts';

interface Choice {
  ref: string | undefined;
  path: string | undefined;
}

/** Reads the skills of a git repository, with the outbound rules of the installation. */
export async function readAddress(
  address: string,
  choice: Choice,
  terminal: Terminal,
): Promise<ReadSources> {
  const parsed = parse(address, choice);
  const { contentsDirectory, variables } = terminal.installation();
  const { current } = await openContentStore(contentsDirectory, allowVariables(variables));
  const allowPrivate = () => current.platform.outbound.allowPrivate;
  const guarded = createGuardedFetch({ allowPrivate });
  // Not in the data folder: a server that starts deletes clones there.
  const directory = await mkdtemp(join(tmpdir(), 'knowhow-import-'));
  try {
    const sizeLimits = terminal.sizeLimits();
    const git = createGitReader({ directory, guarded, allowPrivate, sizeLimits, variables });
    return await git.read(parsed, { signal: new AbortController().signal });
  } finally {
    await Promise.all([rm(directory, { recursive: true, force: true }), guarded.close()]);
  }
}

function parse(address: string, choice: Choice) {
  try {
    return parseGitAddress(address, choice);
  } catch (error) {
    throw error instanceof Problem ? new UsageError(error.message) : error;
  }
}
