import { listReviewPolicies } from '@knowhow/shared/skills/publishing-policy';
import type {
  ProposedFiles,
  Resolution,
  SkillSourceConfig,
  SkillSourceItem,
  SourceProposal,
} from '@knowhow/shared/skills/skill-sources';
import type { Cluster } from '../../../platform/cluster/cluster.ts';
import { ignore } from '../../../platform/lib/ignore.ts';
import type { ReadCommit, SourceStates } from '../../skills/index.ts';
import { categoryOf } from '../../skills/index.ts';
import { getPublishingPolicy, needsReview } from '../skills/publishing-policy.ts';
import type { SkillAdmin, SkillWrite } from '../skills/skill-admin.ts';
import { sourceChecksum } from './change-sources.ts';
import { getHookSecret } from './check-hook.ts';
import {
  checkSource,
  getSettledChecksum,
  knownTrees,
  type ReadSource,
  readCommit,
  recordFailure,
  type SourceAccess,
  selectionOf,
} from './check-source.ts';
import { describeProposal, describeProposedFiles, selectPassing } from './describe-proposal.ts';
import { countOpen, type Proposed, proposeChanges } from './propose-changes.ts';
import { updateLocked } from './sources-lock.ts';
import { type Applied, draftChanges, outdated, takeChanges } from './take-changes.ts';
import { withLease } from './with-lease.ts';

/** Syncs sources of skills with their repositories. */
export interface SourceSync {
  describe(source: SkillSourceConfig): Promise<SkillSourceItem>;
  /**
   * Reads the newest commit and counts the changes. With `update: auto`, installs all that need no
   * decision and pass the required checks, unless changes need a review. A commit that was seen before is not downloaded again.
   * Only one node at a time works on a source.
   */
  sync(source: SkillSourceConfig, work: SyncWork): Promise<SkillSourceItem>;
  /** The changes of the commit that was seen last. */
  propose(source: SkillSourceConfig, signal: AbortSignal): Promise<SourceProposal>;
  /**
   * The differences of a proposed change.
   *
   * @param key the key of the change
   * @throws a conflict if it is no longer proposed, or either side has changed since
   */
  readFiles(source: SkillSourceConfig, key: string, signal: AbortSignal): Promise<ProposedFiles>;
  /** Takes changes by their keys. */
  apply(source: SkillSourceConfig, work: SyncWork, choice: Choice): Promise<Applied>;
  /** Forgets the last sync if a source selects something else than before. */
  reselect(before: SkillSourceConfig, after: SkillSourceConfig): Promise<void>;
  /** Removes a source, and forgets it, unless it is being synced. */
  remove(
    source: SkillSourceConfig,
    work: Pick<SyncWork, 'signal'>,
    removeConfig: () => Promise<void>,
  ): Promise<void>;
}

interface Choice {
  /** Keys of changes. */
  take: readonly string[];
  /** How those of skills that were edited here are taken. */
  resolve?: readonly Resolution[] | undefined;
  /** Saves drafts instead. */
  asDrafts?: boolean | undefined;
}

interface SyncWork extends Pick<SkillWrite, 'by' | 'isPublisher' | 'reason'> {
  signal: AbortSignal;
  /** No person has started it: a commit of which nothing more could be taken is not downloaded again. */
  isUnattended?: boolean;
  /** Called when this node has the lease of the source. */
  onStart?: (() => unknown) | undefined;
}

interface SyncOptions extends SkillAdmin, SourceAccess {
  states: SourceStates;
  cluster: Cluster;
  /** Called after the state of a source may have changed. */
  onChange: () => Promise<void>;
}

/** How long a commit stays in memory, in milliseconds. */
const keptMs = 10 * 60_000;

export function createSourceSync(options: SyncOptions): SourceSync {
  const { states } = options;
  const read = createCommitCache(options);
  const describe = async (source: SkillSourceConfig) => {
    const { selection: _, settled: __, ...state } = await states.get(source.id);
    const isHeld = source.update === 'auto' && holdsAll(options, false);
    const webhook = source.webhook && hookState(options, source.webhook);
    return {
      source,
      checksum: sourceChecksum(source),
      state: { ...state, needsReview: isHeld, webhook },
    };
  };
  const sync = async (source: SkillSourceConfig, work: SyncWork) => {
    const { signal, isUnattended = false } = work;
    const isAuto = source.update === 'auto' && !holdsAll(options, work.isPublisher);
    const checked = await recordFailure(states, source.id, signal, async () => {
      const found = await checkSource(options, source, {
        ...{ signal, isAuto, isUnattended, read },
      });
      const taken = isAuto && found ? await selectUndisputed(options, found.proposed, work) : [];
      if (found && taken.length > 0) {
        await takeChanges(options, { source, ...found, work, taken, resolve: [] });
      } else if (found && countOpen(found.proposed).pending === 0) {
        await updateLocked(options, source, found.archive.commit.commit);
      }
      if (found && isAuto) {
        const { commit } = found.archive.commit;
        await states.settle(source.id, getSettledChecksum(options, source, commit));
      }
      return found;
    });
    const item = await describe(source);
    return checked?.isLocked ? { ...item, state: { ...item.state, isLocked: true } } : item;
  };
  /** The commit that was seen last, with what it changes; undefined before the first sync. */
  const propose = async (source: SkillSourceConfig, signal: AbortSignal, wantedKey?: string) => {
    const { commit } = await states.get(source.id);
    if (commit === undefined) {
      return undefined;
    }
    const taken = await states.taken(source.id);
    const archive = await read(source, { signal, commit, taken });
    const proposed = await proposeChanges(options, source, { archive, taken, wantedKey });
    return { archive, proposed };
  };
  const exclusively = <Result>(
    source: SkillSourceConfig,
    work: SyncWork,
    run: (work: SyncWork) => Promise<Result>,
  ) => withLease(options, source.id, work, run);
  return {
    describe,
    sync: (source, work) => exclusively(source, work, (held) => sync(source, held)),
    propose: async (source, signal) => {
      const found = await propose(source, signal);
      const changes = await describeProposal(options, found?.proposed ?? []);
      return { ...(found ? { commit: found.archive.commit } : {}), changes };
    },
    readFiles: async (source, key, signal) => {
      const found = await propose(source, signal, key);
      const [each] = found?.proposed ?? [];
      if (!each) {
        throw outdated();
      }
      return describeProposedFiles(states, each);
    },
    apply: (source, given, { take: keys, resolve = [], asDrafts }) =>
      exclusively(source, given, async (work) => {
        const found = await propose(source, work.signal);
        const wanted = new Set(keys);
        const taken = found?.proposed.filter(({ change }) => wanted.has(change.key)) ?? [];
        if (!found || taken.length < wanted.size || taken.some(({ change }) => !change.accepted)) {
          throw outdated();
        }
        return asDrafts
          ? draftChanges(options, { work, taken, resolve })
          : takeChanges(options, { source, ...found, work, taken, resolve });
      }),
    reselect: async (before, after) => {
      if (selectionOf(before) !== selectionOf(after)) {
        await states.forgetSync(after.id);
      }
    },
    remove: ({ id }, work, removeConfig) =>
      withLease(options, id, work, async () => {
        await removeConfig();
        await states.forget(id);
      }),
  };
}

/** Whether all changes of an automatic sync need a review, whatever their category. */
function holdsAll({ contents }: SkillAdmin, isPublisher: boolean): boolean {
  const policies = listReviewPolicies(contents().skills.settings.publishing);
  return policies.every((policy) => needsReview(policy, isPublisher));
}

/** Whether the policy of a change requires a review. */
function isReviewed(
  admin: SkillAdmin,
  { change, difference }: Proposed,
  isPublisher: boolean,
): boolean {
  const next = difference ? [categoryOf(difference.files)] : [];
  const names = [change.name, ...(change.nameBefore === undefined ? [] : [change.nameBefore])];
  return names.some((name) => needsReview(getPublishingPolicy(admin, name, ...next), isPublisher));
}

/** The changes that an automatic sync takes. */
function selectUndisputed(
  options: SkillAdmin,
  proposed: readonly Proposed[],
  { isPublisher }: Pick<SyncWork, 'isPublisher'>,
): Promise<Proposed[]> {
  const undisputed = proposed.filter(
    (each) => needsNoDecision(each) && !isReviewed(options, each, isPublisher),
  );
  return selectPassing(options, undisputed);
}

function needsNoDecision({ change }: Proposed): boolean {
  return change.accepted && change.conflict === undefined;
}

function hookState({ variables }: SourceAccess, { variable }: { variable: string }) {
  return getHookSecret(variables, variable) === undefined
    ? ('no-secret' as const)
    : ('ready' as const);
}

/** Reads commits, and keeps the last one in memory for the page that shows it. */
function createCommitCache(access: SourceAccess): ReadSource {
  let kept: { key: string; archive: ReadCommit } | undefined;
  let timer: NodeJS.Timeout | undefined;
  /** By what they read: others wait for the same commit, instead of reading it again. */
  const reading = new Map<string, Promise<ReadCommit>>();
  return async (source, { taken, ...options }) => {
    // Without the signers, a commit that only another source accepts would be found.
    const keyOf = (commit: string) =>
      JSON.stringify([source.url, commit, source.requireSigned?.signers]);
    const { commit } = options;
    const known = knownTrees(taken);
    const isComplete = (archive: ReadCommit) =>
      [...archive.unchanged].every(([path, tree]) => known.get(path) === tree);
    const key = commit === undefined ? undefined : keyOf(commit);
    while (key !== undefined && reading.has(key)) {
      await reading.get(key)?.catch(ignore);
    }
    if (kept && kept.key === key && isComplete(kept.archive)) {
      return kept.archive;
    }
    const read = async () => {
      const archive = await readCommit(access, source, { ...options, known });
      clearTimeout(timer);
      kept = { key: keyOf(archive.commit.commit), archive };
      timer = setTimeout(() => {
        kept = undefined;
      }, keptMs).unref();
      return archive;
    };
    if (key === undefined) {
      return read();
    }
    const archive = read().finally(() => reading.delete(key));
    reading.set(key, archive);
    return archive;
  };
}
