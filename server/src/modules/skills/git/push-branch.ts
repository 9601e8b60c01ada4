import { fileCommands, joinChunks, type RepositoryFile } from './fast-import.ts';
import { gitProblem } from './git-problem.ts';
import { GitFailed, type RunGit } from './run-git.ts';

/** The author of a commit, without control characters and `<>`. */
export interface CommitAuthor {
  name: string;
  email: string;
}

/** A commit on top of another. */
export interface NewCommit {
  author: CommitAuthor;
  message: string;
  /** Paths from the root. */
  remove: readonly string[];
  write: readonly RepositoryFile[];
}

const proposalRef = 'refs/knowhow/proposal';
const config = ['fastimport.unpackLimit=1', 'core.fsync=none', 'gc.auto=0'];

/** Stores a commit on top of a ref, without a work tree: https://git-scm.com/docs/git-fast-import */
export async function storeCommit(run: RunGit, parent: string, commit: NewCommit): Promise<string> {
  const args = ['fast-import', '--quiet', '--done'];
  await run(args, { config, input: joinChunks(commands(parent, commit)) });
  return proposalRef;
}

async function* commands(
  parent: string,
  { author, message, remove, write }: NewCommit,
): AsyncIterable<Uint8Array> {
  const by = `${author.name} <${author.email}> ${Math.floor(Date.now() / 1000)} +0000`;
  const text = Buffer.from(message);
  yield Buffer.from(
    `commit ${proposalRef}\nauthor ${by}\ncommitter ${by}\ndata ${text.length}\n${message}\nfrom ${parent}\n`,
  );
  yield* fileCommands({ remove, write });
  yield Buffer.from('done\n');
}

/** Arguments that push a ref to a new branch. Neither hooks nor another branch are involved. */
export function pushArguments(ref: string, branch: string): string[] {
  const options = ['--quiet', '--no-verify', '--no-thin', '--no-signed', '--recurse-submodules=no'];
  return ['push', ...options, '--', 'origin', `${ref}:refs/heads/${branch}`];
}

export const pushConfig = [
  'core.hooksPath=/dev/null',
  // Without it, git fetches all files of the parent and sends them, if the branch of the server is ahead.
  'push.negotiate=true',
  'pack.threads=1',
  'gc.auto=0',
];

/** Why a server refused a branch; undefined if it did not. Only the text of git tells reasons apart. */
export function toPushProblem(error: unknown, host: string, branch: string) {
  if (!(error instanceof GitFailed)) {
    return undefined;
  }
  const { text } = error;
  const [, reason = ''] = /\[(?:remote )?rejected\] [^(]*\(([^)]{1,200})\)/.exec(text) ?? [];
  if (/non-fast-forward|fetch first|already exists|stale info/.test(reason)) {
    return gitProblem(
      'push-refused',
      `${host} has a branch "${branch}" already. Try again: the next free number is used.`,
    );
  }
  if (/shallow update/.test(reason)) {
    return gitProblem(
      'push-refused',
      `The repository no longer has the commit that was taken last: its branch was overwritten. Sync the source, take the changes, then propose again.`,
    );
  }
  if (reason !== '') {
    return gitProblem(
      'push-refused',
      `${host} refused the branch "${branch}": ${reason}. Check the rules for branches of the repository.`,
    );
  }
  if (denied.test(text)) {
    return gitProblem(
      'push-refused',
      `${host} does not let the credentials of the source push. Give them the right to write to the repository, or choose others.`,
    );
  }
  return undefined;
}

const denied =
  /error: 40[13]|HTTP 40[13]|Authentication failed|could not read Username|ermission (?:to|denied)|not allowed to push|read.only|service not enabled|access denied/i;
