import { AsyncLocalStorage } from 'node:async_hooks';
import type { Transaction } from 'kysely';
import type { Cluster } from '../../../platform/cluster/cluster.ts';
import { localLocks } from '../../../platform/cluster/local-locks.ts';
import { ignore } from '../../../platform/lib/ignore.ts';
import type { Log } from '../../../platform/lib/log.ts';
import type { Database } from '../../../platform/storage/open-database.ts';
import type { Schema } from '../../../platform/storage/schema.ts';
import { type ContentChange, diffContents } from './content-file.ts';
import { type ContentFolder, openContentFolder } from './content-folder.ts';
import {
  type ContentState,
  readGeneration,
  writeContents,
  writeContentsIn,
} from './content-rows.ts';
import { loadContents, openCache } from './open-cache.ts';
import { syncContentFolder } from './sync-content-folder.ts';

/**
 * This node's copy of the contents in the database. The folder is a cache that follows the database; only `write` may
 * change it.
 */
export interface SharedContents {
  /**
   * Runs work that changes files of the folder, exclusively among all nodes and on the latest state. The changes are
   * in the database once it resolves. Rethrows errors of the work, or throws if the changes cannot be stored; the
   * folder is then reverted.
   */
  write<Result>(work: () => Promise<Result>): Promise<Result>;
  /**
   * Call it within `write` if the work also commits other data: stores its changes so far in that transaction. Call
   * the returned function once that is committed.
   */
  takeOver(write: Transaction<Schema>): Promise<() => void>;
  /** Reverts manual changes. Call it after the folder has changed. */
  check(): Promise<void>;
  /** Sets what is done with manual changes before they are reverted. */
  beforeRevert(keep: (paths: readonly string[]) => Promise<void>): void;
  /** Registers a callback for changes of the folder that this node did not make. */
  follow(onChange: () => Promise<void>): void;
  close(): Promise<void>;
}

interface Dependencies {
  /** `contents/` */
  directory: string;
  database: Database;
  cluster: Cluster;
  log: Log;
}

const topic = 'contents';
/** Polling interval for changes without a notification. */
const pollMs = 2000;

/** Syncs the folder first. Throws as `openCache` does. */
export async function openSharedContents(dependencies: Dependencies): Promise<SharedContents> {
  const { cluster, directory, database, log } = dependencies;
  const folder = openContentFolder(directory);
  const copy = new SyncedFolder(await openCache({ directory, folder, database }), {
    ...dependencies,
    folder,
  });
  // The caller may be inside a write lock; outside its async context, the check waits for the end of the write.
  const outside = AsyncLocalStorage.snapshot();
  const look = (whole: boolean) =>
    outside(() => copy.look(whole)).catch((error: unknown) => {
      log.warn({ error }, 'the configuration and the skills could not be refreshed');
    });
  const refreshSoon = () => {
    look(false).catch(ignore);
  };
  const unsubscribe = cluster.subscribe(topic, refreshSoon, refreshSoon);
  const timer = setInterval(refreshSoon, pollMs);
  return {
    write: (work) => cluster.withLock(topic, () => copy.write(work)),
    takeOver: (write) => copy.takeOver(write),
    check: () => look(true),
    beforeRevert: (keep) => {
      copy.beforeRevert = keep;
    },
    follow: (onChange) => {
      copy.onChange = onChange;
    },
    close: async () => {
      unsubscribe();
      clearInterval(timer);
      await copy.idle();
    },
  };
}

interface CopyContext extends Dependencies {
  folder: ContentFolder;
}

/** Serialises all operations in this node. */
class SyncedFolder {
  onChange: () => Promise<void> = async () => undefined;
  beforeRevert: (paths: readonly string[]) => Promise<void> = async () => undefined;
  /** The state with which the folder was last synced. */
  #state: ContentState;
  /** Whether the folder may contain changes that are not in the database. */
  #isAhead = false;
  #isWriting = false;
  /** The last generation that was published or known at startup. */
  #told: number;
  readonly #alone = localLocks();
  readonly #around: CopyContext;

  constructor(state: ContentState, around: CopyContext) {
    this.#state = state;
    this.#told = state.generation;
    this.#around = around;
  }

  idle(): Promise<void> {
    return this.#alone(topic, async () => undefined);
  }

  /** @param whole whether to check for manual changes too */
  look(whole: boolean): Promise<void> {
    return this.#alone(topic, async () => {
      const isOld = await this.#isOld();
      if (!this.#isWriting && (whole || isOld || this.#isAhead)) {
        await this.#refresh(isOld);
      }
    });
  }

  write<Result>(work: () => Promise<Result>): Promise<Result> {
    return this.#alone(topic, async () => {
      // A write may contain a nested write.
      if (this.#isWriting) {
        return work();
      }
      await this.#refresh(await this.#isOld());
      this.#isWriting = true;
      try {
        return await this.#run(work);
      } finally {
        this.#isWriting = false;
      }
    });
  }

  /** Changes made before an error are kept, as they would be on disk. */
  async #run<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } finally {
      this.#isAhead = true;
      await this.#commit();
      this.#isAhead = false;
    }
  }

  async #isOld(): Promise<boolean> {
    return (await readGeneration(this.#around.database)) !== this.#state.generation;
  }

  async #refresh(isOld: boolean): Promise<void> {
    const { database, folder, log } = this.#around;
    const newest = isOld ? await loadContents(database) : this.#state;
    const { files: from } = await folder.scan();
    const own = diffContents(this.#state.files, from);
    if (own.length > 0 && !this.#isAhead) {
      log.warn({ files: listPaths(own) }, revertedMessage);
      await this.beforeRevert(own.map(({ path }) => path));
    }
    // Until the sync is complete.
    this.#isAhead = true;
    const changes = await syncContentFolder(newest.files, { from, folder, database });
    this.#state = newest;
    this.#told = newest.generation;
    this.#isAhead = false;
    if (changes.length > 0) {
      await this.onChange();
    }
  }

  async takeOver(write: Transaction<Schema>): Promise<() => void> {
    const { files, ...changed } = await this.#changed();
    const generation = await writeContentsIn(write, changed);
    return () => {
      this.#state = { generation, files };
    };
  }

  async #commit(): Promise<void> {
    const { cluster, database } = this.#around;
    const { files, ...changed } = await this.#changed();
    if (changed.changes.length > 0) {
      const generation = await writeContents(database, changed);
      this.#state = { generation, files };
    }
    if (this.#state.generation !== this.#told) {
      this.#told = this.#state.generation;
      // Best effort: nodes without the notification poll.
      await cluster.publish(topic, String(this.#told)).catch(() => undefined);
    }
  }

  async #changed() {
    const { folder } = this.#around;
    const { generation: base, files: before } = this.#state;
    const { files } = await folder.scan();
    return { files, base, changes: diffContents(before, files), read: folder.read };
  }
}

const revertedMessage =
  'files of the configuration or of skills were changed by hand and are put back: change them on the pages of /admin, or with knowhow push';

function listPaths(changes: readonly ContentChange[]): string[] {
  return changes.slice(0, 20).map(({ path }) => path);
}
