import { parseSigner } from '@knowhow/shared/skills/signer';
import type { SkillSourceConfig, SourceState } from '@knowhow/shared/skills/skill-sources';
import type { LockedSource } from '@knowhow/shared/skills/skill-sources-lock';
import { getErrorMessage } from '../../../platform/lib/get-error-message.ts';
import { sha256 } from '../../../platform/lib/sha256.ts';
import type { ContentWriter } from '../../content/index.ts';
import {
  type GitAddress,
  type GitCredentials,
  type GitReader,
  getCredentials,
  parseGitAddress,
  type ReadCommit,
  type SourceStates,
  type TakenSkill,
  type Taking,
} from '../../skills/index.ts';
import {
  countOpen,
  type ProposalOptions,
  type Proposed,
  prepareWanted,
  proposeChanges,
} from './propose-changes.ts';
import { adoptLocked, readLocked, withLockHint } from './sources-lock.ts';

/** Access to the repositories of sources. */
export interface SourceAccess {
  git: GitReader;
  /** The environment, for credentials. */
  variables: Readonly<Record<string, string | undefined>>;
}

interface CheckOptions extends ProposalOptions, SourceAccess {
  states: SourceStates;
  contentWriter: Pick<ContentWriter, 'readFile'>;
}

interface Check {
  signal: AbortSignal;
  /** Changes that are still open are proposed again, although the commit was seen before. */
  isAuto: boolean;
  /** Unless no person asks, and an automatic sync has taken all of the commit that it may take. */
  isUnattended: boolean;
  read: ReadSource;
}

/** Reads the skills of a source at a commit; by default, the newest. */
export type ReadSource = (
  source: SkillSourceConfig,
  options: {
    signal: AbortSignal;
    commit?: string | undefined;
    /** The skills that were taken from the source; unchanged ones are not read. */
    taken: readonly TakenSkill[];
  },
) => Promise<ReadCommit>;

interface Checked {
  archive: ReadCommit;
  proposed: Proposed[];
  /** It is the commit in `skill-sources-lock.json`; there may be newer ones. */
  isLocked: boolean;
}

/**
 * Finds the newest commit of a source, and records it with the number of its changes. A source that was never read
 * begins at the commit in `skill-sources-lock.json`.
 *
 * @returns undefined if the commit was seen before: then nothing was downloaded
 */
export async function checkSource(
  options: CheckOptions,
  source: SkillSourceConfig,
  { signal, isAuto, isUnattended, read }: Check,
): Promise<Checked | undefined> {
  const { states } = options;
  const selection = selectionOf(source);
  const { commit: known, pending, edited, ...before } = await states.get(source.id);
  const isSettled =
    isUnattended &&
    known !== undefined &&
    before.settled === getSettledChecksum(options, source, known) &&
    isOfToday(before);
  const isOpen = isAuto && pending > 0 && !isSettled;
  const isDone = before.selection === selection && !isOpen;
  if (known !== undefined && isDone && known === (await findCommit(options, source, signal))) {
    await states.record(source.id, { commit: known, pending, edited, selection });
    return undefined;
  }
  const isFirst = known === undefined && before.skills === 0;
  const locked = isFirst ? await readLocked(options, source) : undefined;
  const taken = await states.taken(source.id);
  if (locked) {
    return checkLocked(options, source, { locked, taken, signal, read });
  }
  const archive = await read(source, { signal, taken });
  const proposed = await proposeChanges(options, source, { archive, taken });
  const { commit } = archive.commit;
  await states.record(source.id, { commit, ...countOpen(proposed), selection });
  return { archive, proposed, isLocked: false };
}

interface FirstCheck extends Pick<Check, 'signal' | 'read'> {
  locked: LockedSource;
  /** Detached skills. */
  taken: readonly TakenSkill[];
}

/**
 * Reads the locked commit, and lets the skills here that were taken from it follow the source. All is recorded at once:
 * after a failure, the next sync begins at this commit again.
 */
async function checkLocked(
  options: CheckOptions,
  source: SkillSourceConfig,
  { locked, taken, signal, read }: FirstCheck,
): Promise<Checked> {
  const { commit } = locked;
  const archive = await withLockHint(() => read(source, { signal, commit, taken: [] }));
  const candidates = await prepareWanted(options, source, archive, new Set());
  const adopted = await adoptLocked(options, locked, { candidates, trees: archive.trees });
  const proposed = await proposeChanges(options, source, {
    archive,
    taken: [...taken, ...adopted.map(toTaken)],
  });
  const seen = { commit, selection: selectionOf(source) };
  const counts = countOpen(proposed);
  await options.states.take(source.id, { taken: adopted, left: [], ...counts, seen });
  return { archive, proposed, isLocked: true };
}

/** A skill as it will be taken, for comparisons. */
function toTaken({ skill, path, commit, checksum, tree }: Taking): TakenSkill {
  const nothing = { base: undefined, url: undefined, detachedAt: undefined };
  return { skill, path, commit, checksum, tree, localName: skill, ...nothing };
}

/** The checksum of a commit and of the settings that decide what an automatic sync takes of it. */
export function getSettledChecksum(
  { contents }: Pick<ProposalOptions, 'contents'>,
  source: SkillSourceConfig,
  commit: string,
): string {
  const { publishing } = contents().skills.settings;
  return sha256(JSON.stringify([commit, selectionOf(source), publishing]));
}

/**
 * Whether the last sync succeeded on the same day. What stopped changes may be gone: the first sync of a day looks at
 * them again.
 */
function isOfToday({ syncedAt, error }: Pick<SourceState, 'syncedAt' | 'error'>): boolean {
  const today = new Date().toISOString().slice(0, 10);
  return error === undefined && syncedAt?.slice(0, 10) === today;
}

/** Records why work on a source failed, unless it was aborted. */
export async function recordFailure<Result>(
  states: SourceStates,
  source: string,
  signal: AbortSignal,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!signal.aborted) {
      await states.record(source, { error: getErrorMessage(error) });
    }
    throw error;
  }
}

/** The checksum of all that decides which commit is read, and which of its skills belong to a source. */
export function selectionOf(source: SkillSourceConfig): string {
  const { url, ref, paths, include, exclude, requireSigned } = source;
  return sha256(JSON.stringify([url, ref, paths, include, exclude, requireSigned?.signers]));
}

interface CommitOptions {
  signal: AbortSignal;
  commit?: string | undefined;
  /** Skills that need not be read, see `knownTrees`. */
  known: ReadonlyMap<string, string>;
}

/** The skills that follow a source, with what identifies their files, by their folders. */
export function knownTrees(taken: readonly TakenSkill[]): Map<string, string> {
  return new Map(
    taken.flatMap(({ path, tree, detachedAt }) =>
      tree !== undefined && detachedAt === undefined ? [[path, tree] as const] : [],
    ),
  );
}

/** Reads the skills of a source at a commit; by default, the newest. */
export function readCommit(
  access: SourceAccess,
  source: SkillSourceConfig,
  { commit, ...options }: CommitOptions,
): Promise<ReadCommit> {
  const address = parseGitAddress(source.url, { ref: commit ?? source.ref, withSsh: true });
  const signers = source.requireSigned?.signers.flatMap((line) => {
    const signer = parseSigner(line);
    return 'fault' in signer ? [] : signer;
  });
  const authorized = authorizeSource(access, source, address);
  return access.git.read(address, { ...options, signers, ...authorized });
}

function findCommit(
  access: SourceAccess,
  source: SkillSourceConfig,
  signal: AbortSignal,
): Promise<string> {
  const address = parseGitAddress(source.url, { ref: source.ref, withSsh: true });
  return access.git.findCommit(address, { signal, ...authorizeSource(access, source, address) });
}

/** The credentials of a source. Throws a problem if they are missing or for another host. */
export function authorizeSource(
  { variables }: SourceAccess,
  { credentials }: SkillSourceConfig,
  { url }: GitAddress,
): GitCredentials {
  const variable = credentials?.variable;
  return variable === undefined ? {} : getCredentials(variable, variables[variable], url);
}
