import { randomUUID } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { join, posix } from 'node:path';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { GitCommit, GitProgress } from '@knowhow/shared/skills/git-commit';
import { type LeftOut, summarizeLeftOut } from '@knowhow/shared/skills/left-out';
import type { Signer } from '@knowhow/shared/skills/signer';
import type { Diagnostic } from '@knowhow/shared/skills/skills';
import { diagnose, type PackedFile } from '@knowhow/skill-format';
import { getErrorMessage } from '../../../platform/lib/get-error-message.ts';
import { limitConcurrency } from '../../../platform/lib/limit-concurrency.ts';
import { collectIssues } from '../archives/collect-issues.ts';
import type { ArchivedSkill } from '../archives/read-archive.ts';
import type { UnpackEntry } from '../archives/unpack-entry.ts';
import type { SizeLimits } from '../archives/unpack-limits.ts';
import { isSkillFile } from '../archives/unpack-roots.ts';
import { unpackSkills } from '../archives/unpack-skills.ts';
import { convertSources, type ReadSources } from '../conversion/convert-sources.ts';
import type { SourceSkill } from '../conversion/make-skill.ts';
import { parentFolder } from '../conversion/parent-folder.ts';
import { createRejectedSource } from '../conversion/rejected-source.ts';
import { checkGitVersion } from './check-git-version.ts';
import { type ChosenFiles, chooseFiles } from './choose-files.ts';
import type { GitCredentials } from './get-credentials.ts';
import type { GitAddress } from './git-address.ts';
import { createClone, type GitClone, type PushedBranch, removeClone } from './git-clone.ts';
import { type GitLimits, gitLimits } from './git-limits.ts';
import { gitProblem } from './git-problem.ts';
import { findRemote, type Outbound } from './git-remote.ts';
import type { NewCommit } from './push-branch.ts';
import { tooManyBytes } from './read-batch.ts';
import type { TreeFile } from './read-tree.ts';
import type { GitCall } from './run-git.ts';

/** Reads skills of git repositories. */
export interface GitReader {
  /**
   * Reads the skills of one commit: everything else is neither fetched nor stored. A skill with an
   * error becomes one that is rejected, and does not affect others.
   *
   * @throws a problem that says why the repository cannot be read
   * @throws the reason of the signal
   */
  read(address: GitAddress, options: ReadOptions): Promise<ReadSources & { commit: GitCommit }>;
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

async function readRepository(
  address: GitAddress,
  reading: Reading,
): Promise<ReadSources & { commit: GitCommit }> {
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
  const chosen = await chooseFiles(files, limits.files);
  const contents = await readContents(clone, chosen, onProgress);
  checkSize(chosen, contents, limits.bytes);
  const { skills, rejected, others, leftOut } = await unpack(chosen, contents, sizeLimits);
  signal.throwIfAborted();
  const sources = await convertSources({ format: 'zip', skills, leftOut, others }, sizeLimits);
  if (rejected.length + sources.skills.length + sources.plugins.length === 0) {
    const place = found.path === '' ? 'the repository' : `the folder "${found.path}"`;
    throw gitProblem('no-path', `There is no SKILL.md in ${place}. Check the address.`);
  }
  const { commit, ref, path } = found;
  return {
    ...sources,
    format: 'git',
    skills: [...sources.skills, ...rejected],
    commit: { url: address.url.href, commit, path, ...(ref === undefined ? {} : { ref }) },
  };
}

/** Contents by id; missing for files that are too large. */
type Contents = ReadonlyMap<string, Uint8Array>;

async function readContents(
  clone: GitClone,
  { skills, others }: ChosenFiles,
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
function checkSize({ skills, others }: ChosenFiles, contents: Contents, maxBytes: number): void {
  let size = 0;
  for (const { id } of [...skills.values(), others].flat()) {
    size += contents.get(id)?.length ?? 0;
  }
  if (size > maxBytes) {
    throw tooManyBytes(maxBytes);
  }
}

interface Unpacked {
  skills: ArchivedSkill[];
  rejected: SourceSkill[];
  others: PackedFile[];
  leftOut: LeftOut[];
}

/** Validates each skill alone, so that an error in one does not affect the others. */
async function unpack(
  { skills: groups, others: files, leftOut }: ChosenFiles,
  contents: Contents,
  limits: SizeLimits,
): Promise<Unpacked> {
  const skills: ArchivedSkill[] = [];
  const rejected: SourceSkill[] = [];
  const skipped = [leftOut];
  for (const [root, members] of groups) {
    await yieldToEventLoop();
    const faults = collectIssues((reason) => reason);
    const entries = members.map((file) => toEntry(file, contents, limits));
    const found = unpackSkills(entries, { limits }, faults.report);
    skipped.push(found.leftOut);
    try {
      faults.refuse();
      const folder = posix.basename(root) || 'skill';
      skills.push(...found.skills.map((skill) => ({ ...skill, folder })));
    } catch (error) {
      const fault = diagnose('files-refused', { values: { reason: getErrorMessage(error) } });
      rejected.push(rejectSkill(root, entries, fault));
    }
  }
  const others = files.flatMap(({ path, id, executable }) => {
    const bytes = contents.get(id);
    return bytes ? [{ path, bytes, executable }] : [];
  });
  return { skills, rejected, others, leftOut: summarizeLeftOut(skipped.flat()) };
}

/** Only its `SKILL.md`, with the reason, so that it is listed with its name and description. */
function rejectSkill(
  root: string,
  entries: readonly UnpackEntry[],
  fault: Diagnostic,
): SourceSkill {
  const main = entries.find(
    ({ name }) => parentFolder(name) === root && isSkillFile(posix.basename(name)),
  );
  const bytes = main?.kind === 'file' ? main.read() : undefined;
  if (!bytes) {
    return createRejectedSource(root, fault);
  }
  const files = [{ path: 'SKILL.md', bytes, executable: false }];
  return { root, folder: posix.basename(root) || 'skill', files, diagnostics: [fault] };
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
