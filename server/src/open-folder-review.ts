import { AsyncLocalStorage } from 'node:async_hooks';
import type { ContentIssue } from '@knowhow/shared/config/health';
import { Problem } from '@knowhow/shared/problem';
import { findSkillNameIssue } from './modules/admin/index.ts';
import type { ContentStore, SharedContents } from './modules/content/index.ts';
import {
  createEditStore,
  createFolderEdits,
  createPublishedSource,
  createReviewedWriter,
  createSkillDrafts,
  type FolderEdits,
  type FolderSource,
  findEditFaults,
  lookEveryMs,
  lookRegularly,
  nameOf,
  type PublishedSource,
  readContent,
  readReviewState,
  recordRemovals,
  type SkillReviews,
  type SkillStore,
  type SkillVersions,
  type SkillWriter,
  writeReviewState,
} from './modules/skills/index.ts';
import type { Cluster } from './platform/cluster/cluster.ts';
import { ignore } from './platform/lib/ignore.ts';
import type { Log } from './platform/lib/log.ts';
import type { Database } from './platform/storage/open-database.ts';

/** The review of edits in the folder of local skills (`publishing.files`). */
export interface FolderReview {
  /** Whether the folders are reviewed now: the catalogue has what is published, not what they hold. */
  readonly isOn: boolean;
  edits: FolderEdits;
  /** Writes of skills, which are published once their versions are recorded. */
  writer: SkillWriter;
  /** The source of local skills now. */
  sourceOf(folder: FolderSource): FolderSource | PublishedSource;
  /** Undoes writes that a crash has interrupted, then follows the setting once skills are read. */
  start(): Promise<void>;
  /** Call it after a configuration change. */
  follow(): void;
  /** Reads a skill that was published, or all, here and from then on. */
  refresh(name?: string): Promise<void>;
  /** Runs a restore of files: what it writes is published. */
  replaceFiles<Result>(run: () => Promise<Result>): Promise<Result>;
  faults(): ContentIssue[];
  close(): void;
}

interface Dependencies {
  cluster: Cluster;
  content: ContentStore;
  database: Database;
  log: Log;
  /** Writes folders without a review. */
  writer: SkillWriter;
  versions: SkillVersions;
  reviews: Pick<SkillReviews, 'findOpen'>;
  shared: SharedContents | undefined;
  store: () => SkillStore;
  /** Called when `isOn` has changed: the source of local skills is another. */
  onSwitch: () => void;
  onChange: () => void;
}

const topic = 'skill folders';
const unrecorded = 'a skill is not published: its folder cannot be recorded';

export async function openFolderReview(dependencies: Dependencies): Promise<FolderReview> {
  const { cluster, database, log, store, shared } = dependencies;
  const state = { isOn: (await readReviewState(database)) !== 'off', isClosed: false };
  const published = () => (state.isOn ? findPublished(store()) : undefined);
  const source = (): PublishedSource => {
    const found = published();
    if (!found) {
      throw new Error('The folders of skills are not reviewed.');
    }
    return found;
  };
  const edits = openEdits(dependencies, { isOn: () => state.isOn, source });
  const writer = createReviewedWriter({
    writer: dependencies.writer,
    database,
    log,
    reviewed: () => {
      const found = published();
      return found && { source: found, edits };
    },
  });
  const looker = lookRegularly({
    look: () => (state.isOn ? edits.findAll() : edits.offerWaiting()),
    isWanted: () => (state.isOn ? published() !== undefined : edits.current.size > 0),
    onError: (error) => logUnlessClosed(error, 'looking for edits of skill folders failed'),
  });
  const logUnlessClosed = (error: unknown, message: string) => {
    if (!state.isClosed) {
      log.error({ error }, message);
    }
  };
  const parts = { ...dependencies, edits, source, state };
  const switching = createSwitch(parts, looker.trigger, (error) =>
    logUnlessClosed(error, 'switching the review of skill folders failed'),
  );
  const retries = setInterval(switching.retry, lookEveryMs).unref();
  const unsubscribe = cluster.subscribe(topic, switching.reread, switching.reread);
  shared?.beforeRevert(async (paths) => {
    const found = published();
    for (const [name, path] of found ? foldersOf(paths, found) : []) {
      await edits.keep(name, path).catch(ignore);
    }
  });
  return {
    get isOn() {
      return state.isOn;
    },
    edits,
    writer,
    sourceOf: (folder) =>
      state.isOn ? createPublishedSource({ folder, database, onFolder: looker.trigger }) : folder,
    start: async () => {
      await writer.undoInterrupted();
      await edits.reread();
      switching.start();
    },
    follow: switching.follow,
    refresh: async (name) => {
      const found = published();
      if (found) {
        await found.refresh(name);
        await (name === undefined ? store().refresh() : store().refresh(found.pathOf(name)));
      }
    },
    replaceFiles: (run) => (state.isOn ? replaceFiles(parts, run) : run()),
    faults: () => findEditFaults(edits, switching.fault(), published()?.listDuplicates() ?? []),
    close: () => {
      state.isClosed = true;
      clearInterval(retries);
      unsubscribe();
      looker.close();
    },
  };
}

function openEdits(
  { cluster, database, log, onChange, reviews, versions, writer }: Dependencies,
  reviewed: { isOn: () => boolean; source: () => PublishedSource },
): FolderEdits {
  return createFolderEdits({
    ...reviewed,
    store: createEditStore(cluster, database),
    drafts: createSkillDrafts(cluster, database),
    reviews,
    writer,
    findNameIssue: (name) => findSkillNameIssue(name)?.message,
    findNewest: async (name) => (await versions.list(name, { limit: 1 })).items[0]?.number,
    log,
    onChange: () => {
      onChange();
      cluster.publish(topic, '').catch(ignore);
    },
  });
}

/** Switches the review on and off, one step at a time. */
function createSwitch(parts: Parts, look: () => void, onError: (error: unknown) => void) {
  const { cluster, content, database, edits, state, store } = parts;
  let work: Promise<void> = Promise.resolve();
  // The caller may be inside a write or a restore, which must end first.
  const outside = AsyncLocalStorage.snapshot();
  let failure: string | undefined;
  const queue = (run: () => Promise<void>) => {
    work = work.then(() => (state.isClosed ? undefined : outside(run))).catch(onError);
  };
  /** The source of skills follows the database, which another node may have changed. */
  const applyState = async () => {
    const isOn = (await readReviewState(database)) !== 'off';
    if (isOn !== state.isOn) {
      state.isOn = isOn;
      parts.onSwitch();
      await store().refresh();
    }
  };
  const report = (found: string | undefined) => {
    if (found !== failure) {
      failure = found;
      parts.onChange();
    }
  };
  const isWanted = () => content.current.skills.settings.publishing.files === 'review';
  /** Whether a switch has failed, and is not done yet. */
  const isPending = () => failure !== undefined && isWanted() !== state.isOn;
  const switchTo = async (wanted: boolean) => {
    if (wanted !== state.isOn) {
      await parts.writer.exclusive(() => (wanted ? publishFolders(parts) : endReview(parts)));
      await applyState();
      await edits.reread();
      await cluster.publish(topic, '');
    }
    report(undefined);
    look();
  };
  const follow = () =>
    queue(async () => {
      try {
        await switchTo(isWanted());
      } catch (error) {
        report(error instanceof Problem ? error.message : 'See the log.');
        throw error;
      }
    });
  return {
    follow,
    /** Call it from time to time: tries again what has failed. */
    retry: () => {
      if (isPending()) {
        follow();
      }
    },
    fault: () => {
      const what = isWanted() ? 'not reviewed yet' : 'still reviewed';
      return isPending() ? `Edits of skill folders are ${what}: ${failure}` : undefined;
    },
    start: () => {
      queue(async () => {
        await store().scanned;
        await parts.writer.exclusive(async () => {
          if ((await readReviewState(database)) === 'restoring') {
            await adoptFolders(parts);
          }
        });
      });
      follow();
    },
    reread: () =>
      queue(async () => {
        await applyState();
        await edits.reread();
      }),
  };
}

interface Parts extends Dependencies {
  edits: FolderEdits;
  source: () => PublishedSource;
  state: { isOn: boolean; isClosed: boolean };
}

function findPublished(store: SkillStore): PublishedSource | undefined {
  const local = store.sources.find(({ writable }) => writable);
  return local && 'folderNames' in local ? (local as PublishedSource) : undefined;
}

/** Records what the folders hold as versions: from now on, these are published. */
async function publishFolders({ database, log, store, versions, ...parts }: Parts): Promise<void> {
  if ((await readReviewState(database)) !== 'off') {
    return;
  }
  await store().refresh();
  const local = store().sources.find(({ writable }) => writable);
  const names = new Set<string>();
  for (const { path } of local?.list() ?? []) {
    const name = nameOf(path);
    if (local && path !== '' && !names.has(name)) {
      names.add(name);
      await keepVersion(versions, { name, location: { source: local, path } }, log);
    }
  }
  const removals = recordRemovals({ store: store(), writer: parts.writer, versions });
  await removals.recordAll(await listRecorded(database), new AbortController().signal);
  await writeReviewState(database, 'on');
}

async function keepVersion(
  versions: SkillVersions,
  { name, location }: { name: string; location: Parameters<typeof readContent>[0] },
  log: Log,
): Promise<void> {
  let files: Awaited<ReturnType<typeof readContent>>;
  try {
    files = await readContent(location);
  } catch (error) {
    // One folder must not keep the review of all others off.
    log.warn({ error, skill: name }, unrecorded);
    return;
  }
  try {
    await versions.keepBefore(name, files);
  } catch (error) {
    if (!(error instanceof Problem)) {
      throw error;
    }
    log.warn({ error, skill: name }, unrecorded);
  }
}

async function listRecorded(database: Database): Promise<string[]> {
  const rows = await database.selectFrom('skills').select('name').execute();
  return rows.map(({ name }) => name);
}

/** Published skills stay published: the folders get their files back, and edits stay drafts. */
async function endReview({ database, edits }: Parts): Promise<void> {
  if ((await readReviewState(database)) !== 'off') {
    await edits.restoreAll();
    await writeReviewState(database, 'off');
  }
}

/** Edits are kept and undone first, so that everything that differs afterwards is from the restore. */
async function replaceFiles<Result>(parts: Parts, run: () => Promise<Result>): Promise<Result> {
  const { database, edits } = parts;
  await edits.restoreAll();
  await writeReviewState(database, 'restoring');
  let result: Result;
  try {
    result = await run();
  } catch (error) {
    // The former files are back.
    await writeReviewState(database, 'on');
    throw error;
  }
  await adoptFolders(parts);
  return result;
}

/** Publishes what a restore has put into the folders. */
async function adoptFolders({ database, log, source, store, versions }: Parts): Promise<void> {
  await source().refresh();
  await store().refresh();
  const { folder } = source();
  const gone = new Set(source().names());
  for (const name of source().folderNames()) {
    gone.delete(name);
    await keepVersion(
      versions,
      { name, location: { source: folder, path: source().pathOf(name) } },
      log,
    );
  }
  const { isThere, hasSkills } = folder.status();
  for (const name of isThere && hasSkills ? gone : []) {
    const origin = { kind: 'file-system' as const };
    await versions.record(name, { action: 'deleted', summary: '', origin, files: undefined });
  }
  await writeReviewState(database, 'on');
  await source().refresh();
  await store().refresh();
}

/** The folders of skills that contain these paths of `contents/`, by name. */
function foldersOf(paths: readonly string[], source: PublishedSource): Map<string, string> {
  const known = new Set([...source.names(), ...source.folderNames()].map(source.pathOf));
  const found = new Map<string, string>();
  for (const path of paths) {
    const [part, ...inside] = path.split('/').slice(0, -1);
    if (part === 'skills' && inside.length > 0) {
      const above = inside.map((_, at) => inside.slice(0, at + 1).join('/'));
      const folder = above.find((each) => known.has(each)) ?? inside.join('/');
      const top = above.find((each) => paths.includes(`skills/${each}/SKILL.md`)) ?? folder;
      found.set(nameOf(known.has(folder) ? folder : top), known.has(folder) ? folder : top);
    }
  }
  return found;
}
