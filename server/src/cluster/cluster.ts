/**
 * What the processes of one installation, its nodes, have to do together: nobody above knows how many
 * there are. Names are those of the callers. All of it may ask a database.
 */
export interface Cluster {
  /**
   * Runs `work` while nobody else holds the lock of that name, in the order of asking. Who holds it and
   * asks again waits only for what else they run under it. Two locks are always taken in the same order.
   */
  withLock<Result>(name: string, work: () => Promise<Result>): Promise<Result>;
  /**
   * Notifies all nodes, this one too, and resolves when that is on its way. A message is an id or the like,
   * of 8,000 bytes at most, never content.
   */
  publish(topic: string, message: string): Promise<void>;
  /**
   * Calls `listener` for each message from now on, until what is returned is called.
   *
   * @param missed called when messages may have been lost: what they would have told has to be compared again
   */
  subscribe(topic: string, listener: (message: string) => void, missed?: () => void): () => void;
  /**
   * Takes a name for this node, until it is released or the node dies; undefined while somebody has it.
   *
   * @param data survives JSON; others see it with `holder`
   */
  lease(name: string, data: unknown): Promise<Lease | undefined>;
  /** The data of whoever has that lease now; undefined when nobody has. */
  holder(name: string): Promise<unknown>;
  /** Runs what each node does as it starts, one node at a time: what is done already, `work` finds done. */
  atStart<Result>(name: string, work: () => Promise<Result>): Promise<Result>;
  /**
   * Runs `work` on one of the nodes whenever it is time, never twice at once; under a lease of that name,
   * whose loss it has to react to.
   *
   * @param cron as Croner takes it, in the time zone of the process
   */
  oneNode(name: string, cron: string, work: (lost: AbortSignal) => Promise<void>): Scheduled;
  /** Counts by key within fixed windows of so many seconds. */
  limiter(name: string, seconds: number): Limiter;
  /** Counts by key, of each of which so much runs out a minute. */
  leakyCounts(name: string, perMinute: () => number): LeakyCounts;
  /** Gives each key so many slots at once. */
  slots(name: string): Slots;
}

export interface Lease {
  /** Aborts when the name is no longer this node's though it was not released: what is done under it stops. */
  lost: AbortSignal;
  /**
   * Never rejects. Without a database the name stays taken until the database is back and the node has renewed its
   * leases, or until the lease expires.
   */
  release(): Promise<void>;
}

export type Slot = Pick<Lease, 'release'>;

export interface Scheduled {
  /** Undefined when there is no next time. */
  nextRun(): Date | undefined;
  /** Begins it no more; what is under way goes on. */
  stop(): void;
}

export interface Limiter {
  /** Counts one more, and answers how many there are until when. */
  add(key: string): Promise<{ count: number; endsAt: Date }>;
}

export interface LeakyCounts {
  /** What is left of a count, and how many milliseconds ago it was last added to. */
  read(key: string): Promise<{ count: number; age: number }>;
  add(key: string): Promise<void>;
  /** Takes one back, as if it had not been added. */
  takeBack(key: string): Promise<void>;
  forget(key: string): Promise<void>;
}

export interface Slots {
  /** Undefined when that many of the key are taken. */
  take(key: string, most: number): Promise<Slot | undefined>;
}
