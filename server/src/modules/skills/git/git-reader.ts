import { randomUUID } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { join, posix } from 'node:path';
import type { GitCommit, GitProgress } from '@knowhow/shared/skills/git-commit';
import type { Signer } from '@knowhow/shared/skills/signer';
import { limitConcurrency } from '../../../platform/lib/limit-concurrency.ts';
import { type ChosenFiles, chooseFiles, TooManyFiles } from '../archives/choose-files.ts';
import type { ReadArchive } from '../archives/read-archive.ts';
import { unpackGroups } from '../archives/unpack-entries.ts';
import type { UnpackEntry } from '../archives/unpack-entry.ts';
import { tooMuchKept } from '../archives/unpack-faults.ts';
import type { SizeLimits } from '../archives/unpack-limits.ts';
import { convertSources, type ReadSources } from '../conversion/convert-sources.ts';
import { checkGitVersion } from './check-git-version.ts';
import type { GitCredentials } from './get-credentials.ts';
import type { GitAddress } from './git-address.ts';
import { createClone, type GitClone, type PushedBranch, removeClone } from './git-clone.ts';
import { type GitLimits, gitLimits } from './git-limits.ts';
import { gitProblem } from './git-problem.ts';
import { findRemote, type Outbound } from './git-remote.ts';
import { findUnchanged, identifyTrees } from './identify-trees.ts';
import type { NewCommit } from './push-branch.ts';
import { tooManyBytes } from './read-batch.ts';
import { type TreeFile, tooManyFiles } from './read-tree.ts';
import type { GitCall } from './run-git.ts';

/** Reads skills of git repositories. */
export interface GitReader {
  /**
   * Reads the skills of one commit: everything else is neither fetched nor stored, and neither are skills that are
   * `known`. A skill with an error becomes one that is rejected, and does not affect others.
   *
   * @throws a problem that says why the repository cannot be read
   * @throws the reason of the signal
   */
  read(address: GitAddress, options: ReadOptions): Promise<ReadCommit>;
  /**
   * Asks the server for the commit that an address names, and downloads nothing.
   *
   * @returns 40 hexadecimal digits, or 64
   * @throws a problem that says why the repository cannot be read
   */
  findCommit(
    address: GitAddress,
    options: GitCredentials & Pick<ReadOptions, 'signal'>,
  ): Promise<string>;
  /**
   * Pushes a commit to a new branch, on top of the commit that an address names.
   *
   * @param plan called with the paths and kinds of the files of the commit below the folder of the address
   * @throws a problem that says why the branch cannot be pushed
   */
  push(
    address: GitAddress,
    options: GitCredentials & Pick<ReadOptions, 'signal'>,
    plan: PushPlan,
  ): Promise<PushedBranch>;
  /** At startup: deletes what a crash has left. */
  recover(): Promise<void>;
}

/** The skills of a commit. */
export interface ReadCommit extends ReadSources {
  commit: GitCommit;
  /** Checksum of the files that git lists for each skill, by its folder. */
  trees: ReadonlyMap<string, string>;
  /** The same for skills that were not read because they are known. */
  unchanged: ReadonlyMap<string, string>;
}

/** A commit to push. */
export interface PushPlan {
  /** The name of the branch without the number at its end. */
  prefix: string;
  commit: (files: readonly TreeFile[]) => NewCommit;
}

interface ReadOptions extends GitCredentials {
  /** One of them must have signed the commit. */
  signers?: readonly Signer[] | undefined;
  signal: AbortSignal;
  /** Skills of an earlier commit by their folders, with what identifies their files. */
  known?: ReadonlyMap<string, string> | undefined;
  onProgress?: (progress: GitProgress) => void;
}

interface Options extends Outbound {
  /** For temporary clones; no other process uses it. */
  directory: string;
  sizeLimits: SizeLimits;
  /** The environment, for where git is. */
  variables: GitCall['variables'];
  limits?: GitLimits;
}

export function createGitReader(options: Options): GitReader {
  const { directory, limits = gitLimits } = options;
  const twoAtOnce = limitConcurrency(2);
  let isChecked = false;
  const checkGit = async (signal: AbortSignal) => {
    if (!isChecked) {
      await mkdir(directory, { recursive: true, mode: 0o700 });
      await checkGitVersion({ directory, variables: options.variables, signal });
      isChecked = true;
    }
  };
  const withFolder = <Result>(
    reading: ReadOptions,
    run: (all: Reading) => Promise<Result>,
  ): Promise<Result> => {
    reading.onProgress?.({ phase: 'waiting' });
    return twoAtOnce(async () => {
      const text = `Reading the repository took more than ${limits.totalMs / 1000} seconds. Name a folder of it, or try again later.`;
      const timeout = new AbortController();
      const timer = setTimeout(() => timeout.abort(gitProblem('too-slow', text)), limits.totalMs);
      const signal = AbortSignal.any([reading.signal, timeout.signal]);
      const clone = join(directory, randomUUID());
      try {
        await checkGit(signal);
        return await run({ ...options, ...reading, limits, signal, clone });
      } finally {
        clearTimeout(timer);
        await removeClone(clone);
      }
    });
  };
  return {
    read: (address, reading) => withFolder(reading, (all) => readRepository(address, all)),
    findCommit: (address, reading) =>
      withFolder(reading, async (all) => (await openClone(address, all)).resolve(address)),
    push: (address, reading, { prefix, commit }) =>
      withFolder(reading, async (all) => {
        const clone = await openClone(address, all);
        const found = await clone.fetch(address);
        return clone.push(found, prefix, commit(await clone.list(found)));
      }),
    recover: () => rm(directory, { recursive: true, force: true }),
  };
}

interface Reading extends Options, ReadOptions {
  /** The folder of the clone. */
  clone: string;
  limits: GitLimits;
}

/** Checks the server, and prepares a clone of its repository. */
async function openClone(address: GitAddress, reading: Reading): Promise<GitClone> {
  const remote = await findRemote(address.url, reading);
  const maxFileBytes = reading.sizeLimits.fileBytes;
  return createClone({ ...reading, directory: reading.clone, remote, maxFileBytes });
}

async function readRepository(address: GitAddress, reading: Reading): Promise<ReadCommit> {
  const { onProgress = () => undefined, sizeLimits, limits, signers, signal } = reading;
  onProgress({ phase: 'connecting' });
  const clone = await openClone(address, reading);
  onProgress({ phase: 'listing' });
  const found = await clone.fetch(address);
  if (signers) {
    await clone.verify(found, signers);
  }
  const files = await clone.list(found);
  if (files.length === 0) {
    const text = `The commit has no folder "${found.path}". Check the path.`;
    throw gitProblem('no-path', found.path === '' ? 'The commit has no files.' : text);
  }
  const all = await choose(files, limits.files);
  const trees = await identifyTrees(all.skills);
  const unchanged = findUnchanged(all, trees, reading.known);
  const chosen = {
    ...all,
    skills: new Map([...all.skills].filter(([root]) => !unchanged.has(root))),
  };
  const contents = await readContents(clone, chosen, onProgress);
  checkSize(chosen, contents, limits.bytes);
  const archive = await unpack(chosen, contents, sizeLimits);
  signal.throwIfAborted();
  const sources = await convertSources(archive, sizeLimits);
  if (sources.skills.length + sources.plugins.length + unchanged.size === 0) {
    const place = found.path === '' ? 'the repository' : `the folder "${found.path}"`;
    throw gitProblem('no-path', `There is no SKILL.md in ${place}. Check the address.`);
  }
  const { commit, ref, path } = found;
  return {
    ...{ ...sources, trees, unchanged },
    format: 'git',
    commit: { url: address.url.href, commit, path, ...(ref === undefined ? {} : { ref }) },
  };
}

/** Contents by id; missing for files that are too large. */
type Contents = ReadonlyMap<string, Uint8Array>;

async function readContents(
  clone: GitClone,
  { skills, others }: ChosenFiles<TreeFile>,
  onProgress: (progress: GitProgress) => void,
): Promise<Contents> {
  const ids = [...new Set([...skills.values(), others].flat().map(({ id }) => id))];
  const contents = new Map<string, Uint8Array>();
  if (ids.length === 0) {
    return contents;
  }
  onProgress({ phase: 'fetching', files: ids.length });
  await clone.fetchBlobs(ids);
  onProgress({ phase: 'reading', files: ids.length });
  await clone.read(ids, (at, bytes) => {
    const id = ids[at];
    if (bytes && id !== undefined) {
      contents.set(id, bytes);
    }
  });
  return contents;
}

/** Many files of a commit may have the same content, which was fetched once. */
function checkSize(
  { skills, others }: ChosenFiles<TreeFile>,
  contents: Contents,
  maxBytes: number,
): void {
  let size = 0;
  for (const { id } of [...skills.values(), others].flat()) {
    size += contents.get(id)?.length ?? 0;
  }
  if (size > maxBytes) {
    throw tooManyBytes(maxBytes);
  }
}

async function choose(
  files: readonly TreeFile[],
  maxFiles: number,
): Promise<ChosenFiles<TreeFile>> {
  try {
    return await chooseFiles(files, { maxFiles });
  } catch (error) {
    throw error instanceof TooManyFiles ? tooManyFiles(maxFiles) : error;
  }
}

/** Validates each skill alone, so that an error in one does not affect the others. */
async function unpack(
  { skills: groups, others: files, leftOut }: ChosenFiles<TreeFile>,
  contents: Contents,
  limits: SizeLimits,
): Promise<ReadArchive> {
  const toEntries = (members: readonly TreeFile[]) =>
    members.map((file) => ({ path: file.path, entry: toEntry(file, contents, limits) }));
  const grouped = new Map([...groups].map(([root, members]) => [root, toEntries(members)]));
  const { skills, rejected, issues } = await unpackGroups(grouped, limits);
  if (issues.some(([, issue]) => issue === tooMuchKept)) {
    throw gitProblem('too-large', tooMuchKept.message);
  }
  const others = files.flatMap(({ path, id, executable }) => {
    const bytes = contents.get(id);
    return bytes ? [{ path, bytes, executable }] : [];
  });
  const named = skills.map((skill) => ({
    ...skill,
    folder: posix.basename(skill.root) || 'skill',
  }));
  return { format: 'zip', skills: named, rejected, others, leftOut };
}

function toEntry(
  { path: name, kind, id, executable }: TreeFile,
  contents: Contents,
  limits: SizeLimits,
): UnpackEntry {
  const bytes = contents.get(id);
  if (kind === 'link') {
    return { kind: 'link', name, target: Buffer.from(bytes ?? []).toString(), isHard: false };
  }
  // Contents that are too large were not kept.
  const size = bytes?.length ?? limits.fileBytes + 1;
  return { kind: 'file', name, executable, size, read: () => bytes };
}
