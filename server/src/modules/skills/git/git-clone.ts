import { mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Signer } from '@knowhow/shared/skills/signer';
import { ignore } from '../../../platform/lib/ignore.ts';
import { inMebibytes } from '../archives/unpack-limits.ts';
import { checkSignature } from './check-signature.ts';
import type { GitAddress } from './git-address.ts';
import type { GitLimits } from './git-limits.ts';
import { gitProblem } from './git-problem.ts';
import type { GitRemote } from './git-remote.ts';
import {
  type NewCommit,
  pushArguments,
  pushConfig,
  storeCommit,
  toPushProblem,
} from './push-branch.ts';
import { readBatch } from './read-batch.ts';
import { readTree, type TreeFile } from './read-tree.ts';
import { type GitCall, GitFailed, type RunGit, runGit, sshConfigName } from './run-git.ts';
import { toSshProblem } from './ssh-config.ts';

/** A commit, and the folder in it. */
export interface FoundCommit {
  /** 40 hexadecimal digits, or 64. */
  commit: string;
  /** The branch or tag; undefined for the default branch or a commit. */
  ref: string | undefined;
  path: string;
}

/** A bare partial clone of one commit, without a work tree. */
export interface GitClone {
  /** The number of the commit that an address names. Fetches nothing. */
  resolve(address: GitAddress): Promise<string>;
  /** Fetches the commit and its trees, without contents of files. */
  fetch(address: GitAddress): Promise<FoundCommit>;
  /** Throws a problem unless one of the signers has signed the commit. */
  verify(found: FoundCommit, signers: readonly Signer[]): Promise<void>;
  /** All files of the commit below a folder, with paths from the root. */
  list(found: FoundCommit): Promise<TreeFile[]>;
  /** Fetches contents of files, all in one request. */
  fetchBlobs(ids: readonly string[]): Promise<void>;
  /**
   * Passes on contents of files in order; undefined for those of more than `maxFileBytes`.
   *
   * @throws a problem if all together have more than `limits.bytes`
   */
  read(
    ids: readonly string[],
    take: (at: number, bytes: Uint8Array | undefined) => void,
  ): Promise<void>;
  /**
   * Pushes a commit on top of a fetched one to a new branch, whose name begins with a prefix and ends with a number.
   *
   * @throws a problem that says why the server refused it
   */
  push(found: FoundCommit, prefix: string, commit: NewCommit): Promise<PushedBranch>;
}

export interface PushedBranch {
  branch: string;
  /** The number of the commit. */
  commit: string;
}

interface Options {
  /** A new folder. */
  directory: string;
  remote: GitRemote;
  limits: GitLimits;
  maxFileBytes: number;
  variables: GitCall['variables'];
  signal: AbortSignal;
}

const ownRef = 'refs/knowhow/commit';
const pollMs = 100;

/** Creates the clone. Every call stops at the signal, or when it needs too much space. */
export async function createClone(options: Options): Promise<GitClone> {
  const { directory, remote, limits, variables, maxFileBytes } = options;
  const watch = watchSize(directory, limits.diskBytes);
  const signal = AbortSignal.any([options.signal, watch.signal]);
  const call = { directory, variables, signal, maxMemoryBytes: limits.memoryBytes };
  const bare: RunGit = (args, more = {}) => watch.during(() => runGit({ ...call, ...more, args }));
  const local: RunGit = (args, more) =>
    bare(args, more).catch((error) => {
      throw error instanceof GitFailed ? toProblem(error, remote.url) : error;
    });
  const { config, secretConfig } = remote;
  const online = (args: readonly string[], more: Partial<GitCall> = {}) =>
    local(args, { config: [...config, ...fetchConfig], secretConfig, ...more });
  await layOut(directory, remote);
  const fetch = ['fetch', '--quiet', '--no-tags', '--no-write-fetch-head', '--no-auto-maintenance'];
  return {
    resolve: async (address) => {
      const found = await findRef(address, online);
      const commit = found.commit ?? (await listRefs(online, [found.source])).get(found.source);
      if (commit === undefined) {
        throw emptyProblem();
      }
      return commit;
    },
    fetch: async (address) => {
      const { source, ...found } = await findRef(address, online);
      const spec = `+${source}:${ownRef}`;
      await online([...fetch, '--depth=1', '--filter=blob:none', '--', 'origin', spec]);
      const commit = await readText(local, ['rev-parse', '--verify', `${ownRef}^{commit}`]);
      return { ...found, commit: commit.trim() };
    },
    verify: ({ commit }, signers) => checkSignature(bare, { directory, commit, signers }),
    list: ({ path }) => readTree(local, { commit: ownRef, path, maxFiles: limits.treeFiles }),
    fetchBlobs: (ids) =>
      online([...fetch, '--filter=blob:none', '--stdin', '--', 'origin'], {
        input: `${ids.join('\n')}\n`,
      }),
    push: async ({ commit: parent }, prefix, commit) => {
      const ref = await storeCommit(local, parent, commit);
      const number = await readText(local, ['rev-parse', '--verify', ref]);
      const branch = `${prefix}${await nextNumber(online, prefix)}`;
      const pushing = { config: [...config, ...pushConfig], secretConfig };
      await bare(pushArguments(ref, branch), pushing).catch((error) => {
        const known = toPushProblem(error, new URL(remote.url).host, branch);
        throw (
          known ?? (error instanceof GitFailed ? toProblem(error, remote.url, 'push to') : error)
        );
      });
      return { branch, commit: number.trim() };
    },
    read: (ids, take) => readBatch(local, { ids, maxFileBytes, maxBytes: limits.bytes, take }),
  };
}

/** An empty bare repository. An address of a `URL` contains neither quotes nor backslashes. */
async function layOut(directory: string, { url, sshConfig }: GitRemote): Promise<void> {
  await mkdir(join(directory, 'objects', 'pack'), { recursive: true, mode: 0o700 });
  await mkdir(join(directory, 'refs'));
  await writeFile(join(directory, 'HEAD'), `ref: ${ownRef}\n`);
  const config = `[core]
\trepositoryFormatVersion = 1
\tbare = true
\tbigFileThreshold = 16m
[extensions]
\tpartialClone = origin
[remote "origin"]
\turl = "${url}"
\tpromisor = true
\tpartialCloneFilter = blob:none
`;
  await writeFile(join(directory, 'config'), config);
  if (sshConfig !== undefined) {
    await writeFile(join(directory, sshConfigName), sshConfig, { mode: 0o600 });
  }
}

const fetchConfig = [
  'fetch.negotiationAlgorithm=noop',
  // One pack instead of a file for each object.
  'fetch.unpackLimit=1',
  'fetch.recurseSubmodules=no',
  'submodule.recurse=false',
  'pack.threads=1',
  'gc.auto=0',
];

const maxTextBytes = 64 * 1024;

async function readText(run: RunGit, args: readonly string[]): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  await run(args, {
    onOutput: (chunk) => {
      size += chunk.length;
      if (size <= maxTextBytes) {
        chunks.push(chunk);
      }
    },
  });
  return Buffer.concat(chunks).toString();
}

interface FoundRef extends Omit<FoundCommit, 'commit'> {
  source: string;
  /** Undefined for the default branch. */
  commit: string | undefined;
}

/** The commits of some of the server's refs, by their names. */
async function listRefs(run: RunGit, names: readonly string[]): Promise<Map<string, string>> {
  const wanted = names.flatMap((name) => [name, `${name}${peeled}`]);
  const listed = await readText(run, ['ls-remote', '--quiet', '--', 'origin', ...wanted]);
  const refs = new Map<string, string>();
  for (const line of listed.split('\n')) {
    const [commit = '', name] = line.split('\t');
    if (name !== undefined) {
      refs.set(name, commit);
    }
  }
  return new Map([...refs].map(([name, commit]) => [name, refs.get(`${name}${peeled}`) ?? commit]));
}

/** One more than the highest number of the server's branches with a prefix. */
async function nextNumber(run: RunGit, prefix: string): Promise<number> {
  const listed = await readText(run, [
    ...['ls-remote', '--quiet', '--', 'origin', `refs/heads/${prefix}*`],
  ]);
  const numbers = listed.split('\n').map((line) => {
    const name = line.split('\trefs/heads/')[1] ?? '';
    const rest = name.startsWith(prefix) ? name.slice(prefix.length) : '';
    return /^\d{1,9}$/.test(rest) ? Number(rest) : 0;
  });
  return numbers.reduce((highest, number) => Math.max(highest, number), 0) + 1;
}

/** Marks the commit of an annotated tag. */
const peeled = '^{}';

/** Finds what to fetch: the longest branch or tag with which a link begins, or a commit. */
async function findRef({ ref, path, refAndPath }: GitAddress, run: RunGit): Promise<FoundRef> {
  const segments = ref === undefined ? (refAndPath ?? []) : [ref];
  if (segments.length === 0) {
    return { source: 'HEAD', ref: undefined, path, commit: undefined };
  }
  const candidates = segments
    .slice(0, maxRefSegments)
    .map((_, at) => segments.slice(0, at + 1).join('/'))
    .reverse();
  const names = candidates.flatMap((name) => [`refs/heads/${name}`, `refs/tags/${name}`, name]);
  const wanted = names.filter((name) => name.startsWith('refs/'));
  const refs = await listRefs(run, wanted);
  const source = wanted.find((name) => refs.has(name));
  const rest = (used: string) =>
    ref === undefined ? segments.slice(used.split('/').length).join('/') || path : path;
  if (source !== undefined) {
    const name = source.replace(/^refs\/(?:heads|tags)\//, '');
    return { source, ref: name, path: rest(name), commit: refs.get(source) };
  }
  const [first = ''] = segments;
  if (/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(first)) {
    return { source: first, ref: undefined, path: rest(first), commit: first };
  }
  const name = ref ?? first;
  throw gitProblem(
    'no-ref',
    `The repository has no branch or tag "${name}". Check the name; a commit needs its full number of 40 digits.`,
  );
}

/** Limit for a branch name such as `feature/area/topic`. */
const maxRefSegments = 6;

function emptyProblem(): Error {
  return gitProblem('no-ref', 'The repository is empty: it has no default branch.');
}

function toProblem(error: GitFailed, url: string, action = 'read'): Error {
  const { text } = error;
  const { host } = new URL(url);
  const sshProblem = toSshProblem(error, new URL(url));
  if (sshProblem) {
    return sshProblem;
  }
  if (/couldn't find remote ref HEAD|Remote branch .* not found/.test(text)) {
    return emptyProblem();
  }
  if (/not our ref|couldn't find remote ref|unadvertised object/.test(text)) {
    return gitProblem('no-ref', 'The repository does not have this commit. Check its number.');
  }
  if (/Operation too slow|timed out/i.test(text)) {
    return gitProblem('too-slow', `${host} sends too slowly. Try again later.`);
  }
  const said = text.split(/ ?fatal: /).at(-1) ?? '';
  return gitProblem('failed', `git could not ${action} the repository: ${said.slice(0, 500)}`);
}

/** Aborts while a folder is larger than a limit. */
function watchSize(directory: string, maxBytes: number) {
  const controller = new AbortController();
  const check = async () => {
    if ((await sizeOf(directory)) > maxBytes) {
      const size = inMebibytes(maxBytes);
      const text = `The repository needs more than ${size} on the server's disk. Name a smaller repository.`;
      controller.abort(gitProblem('too-large', text));
    }
  };
  return {
    signal: controller.signal,
    during: async <Result>(run: () => Promise<Result>): Promise<Result> => {
      const timer = setInterval(() => {
        check().catch(ignore);
      }, pollMs);
      try {
        const result = await run();
        await check();
        controller.signal.throwIfAborted();
        return result;
      } finally {
        clearInterval(timer);
      }
    },
  };
}

/** Packs are files in one folder; everything else is small. */
async function sizeOf(directory: string): Promise<number> {
  const packs = join(directory, 'objects', 'pack');
  const names = await readdir(packs).catch(() => []);
  const sizes = await Promise.all(
    names.map((name) =>
      stat(join(packs, name)).then(
        ({ size }) => size,
        () => 0,
      ),
    ),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** Deletes a clone. */
export function removeClone(directory: string): Promise<void> {
  return rm(directory, { recursive: true, force: true, maxRetries: 3 });
}
