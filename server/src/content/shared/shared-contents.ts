import { AsyncLocalStorage } from 'node:async_hooks';
import type { Transaction } from 'kysely';
import type { Cluster } from '../../cluster/cluster.ts';
import { localLocks } from '../../cluster/local-locks.ts';
import { ignore } from '../../lib/ignore.ts';
import type { Log } from '../../lib/log.ts';
import type { Database } from '../../storage/open-database.ts';
import type { Schema } from '../../storage/schema.ts';
import { bringTo } from './bring-to.ts';
import { type ContentChange, changesBetween } from './content-file.ts';
import { type ContentFolder, openContentFolder } from './content-folder.ts';
import {
  type ContentState,
  readGeneration,
  writeContents,
  writeContentsIn,
} from './content-rows.ts';
import { newestContents, openCache } from './open-cache.ts';

/**
 * The contents that nodes have from the database, in this one's folder: a cache that follows what is there, and in which
 * nothing changes but by `write`.
 */
export interface SharedContents {
  /**
   * Runs what changes files of the folder, alone among all nodes and on their newest state, and takes the changes over
   * into the database: once it resolves they are there. Throws as the work does, or where they cannot be stored: then
   * the folder becomes again what it was.
   */
  write<Result>(work: () => Promise<Result>): Promise<Result>;
  /**
   * To be called within `write`, by work that commits more than files: takes what it has changed so far over within that
   * transaction. Answers what is to be called once that is committed.
   */
  takeOver(write: Transaction<Schema>): Promise<() => void>;
  /** Puts back what was changed by hand. To be called when the folder has changed. */
  check(): Promise<void>;
  /** Calls this whenever files of the folder have become others than this node has made them. */
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
/** How often it is looked whether there is something that this node was not told of. */
const lookMs = 2000;

/** Brings the folder to the newest state first. Throws as `openCache` does. */
export async function openSharedContents(dependencies: Dependencies): Promise<SharedContents> {
  const { cluster, directory, database, log } = dependencies;
  const folder = openContentFolder(directory);
  const copy = new FollowedCopy(await openCache({ directory, folder, database }), {
    ...dependencies,
    folder,
  });
  // Whoever has had a write done under the lock may be the one who asks: a look waits for the end of that all the same.
  const outside = AsyncLocalStorage.snapshot();
  const look = (whole: boolean) =>
    outside(() => copy.look(whole)).catch((error: unknown) => {
      log.warn({ error }, 'the configuration and the skills are not the newest for now');
    });
  const lookSoon = () => {
    look(false).catch(ignore);
  };
  const leave = cluster.subscribe(topic, lookSoon, lookSoon);
  const looking = setInterval(lookSoon, lookMs);
  return {
    write: (work) => cluster.withLock(topic, () => copy.write(work)),
    takeOver: (write) => copy.takeOver(write),
    check: () => look(true),
    follow: (onChange) => {
      copy.onChange = onChange;
    },
    close: async () => {
      leave();
      clearInterval(looking);
      await copy.idle();
    },
  };
}

interface Surroundings extends Dependencies {
  folder: ContentFolder;
}

/** All of it runs one at a time in this node. */
class FollowedCopy {
  onChange: () => Promise<void> = async () => undefined;
  /** What the folder was last made, or has made the database. */
  #state: ContentState;
  /** Whether the folder may hold what the database did not take. */
  #isAhead = false;
  #isWriting = false;
  /** The generation that was last told of, or was there before. */
  #told: number;
  readonly #alone = localLocks();
  readonly #around: Surroundings;

  constructor(state: ContentState, around: Surroundings) {
    this.#state = state;
    this.#told = state.generation;
    this.#around = around;
  }

  idle(): Promise<void> {
    return this.#alone(topic, async () => undefined);
  }

  /** @param whole also for what was changed by hand */
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
      // What a write does within may be one by itself.
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

  /** What is done before a failure counts, as it does on a disk. */
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
    const newest = isOld ? await newestContents(database) : this.#state;
    const { files: from } = await folder.scan();
    const own = changesBetween(this.#state.files, from);
    if (own.length > 0 && !this.#isAhead) {
      log.warn({ files: shown(own) }, putBack);
    }
    // Until all of it is done.
    this.#isAhead = true;
    const changes = await bringTo(newest.files, { from, folder, database });
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
      // Who is not told looks by itself.
      await cluster.publish(topic, String(this.#told)).catch(() => undefined);
    }
  }

  async #changed() {
    const { folder } = this.#around;
    const { generation: base, files: before } = this.#state;
    const { files } = await folder.scan();
    return { files, base, changes: changesBetween(before, files), read: folder.read };
  }
}

const putBack =
  'files of the configuration or of skills were changed by hand and are put back: change them on the pages of /admin, or with knowhow push';

function shown(changes: readonly ContentChange[]): string[] {
  return changes.slice(0, 20).map(({ path }) => path);
}
