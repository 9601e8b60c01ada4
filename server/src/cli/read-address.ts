import { Problem } from '@knowhow/shared/problem';
import { parseGitAddress, type ReadSources } from '../modules/skills/index.ts';
import type { Terminal } from './terminal.ts';
import { UsageError } from './usage-error.ts';
import { withGit } from './with-git.ts';

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
  const { signal } = new AbortController();
  return withGit(terminal, ({ git }) => git.read(parsed, { signal }));
}

function parse(address: string, choice: Choice) {
  try {
    return parseGitAddress(address, choice);
  } catch (error) {
    throw error instanceof Problem ? new UsageError(error.message) : error;
  }
}
