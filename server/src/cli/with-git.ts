import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { allowVariables, type Contents, openContentStore } from '../modules/content/index.ts';
import { createGitReader, type GitReader } from '../modules/skills/index.ts';
import { createGuardedFetch } from '../platform/lib/guarded-fetch.ts';
import type { Terminal } from './terminal.ts';

interface Opened {
  git: GitReader;
  contents: () => Contents;
}

/** Runs with a reader of git repositories that applies the outbound rules of the installation. */
export async function withGit<Result>(
  terminal: Terminal,
  run: (opened: Opened) => Promise<Result>,
): Promise<Result> {
  const { contentsDirectory, variables } = terminal.installation();
  const { current } = await openContentStore(contentsDirectory, allowVariables(variables));
  const allowPrivate = () => current.platform.outbound.allowPrivate;
  const guarded = createGuardedFetch({ allowPrivate });
  // Not in the data folder: a server that starts deletes clones there.
  const directory = await mkdtemp(join(tmpdir(), 'knowhow-git-'));
  try {
    const sizeLimits = terminal.sizeLimits();
    const git = createGitReader({ directory, guarded, allowPrivate, sizeLimits, variables });
    return await run({ git, contents: () => current });
  } finally {
    await Promise.all([rm(directory, { recursive: true, force: true }), guarded.close()]);
  }
}
