/**
 * Coordination between the processes (nodes) of one installation; callers do not know how many there are. Names are
 * chosen by callers. Every operation may access a database.
 */
export interface Cluster {
  /**
   * Runs `work` while holding the named lock; waiters are served in order. The lock is re-entrant: nested calls only
   * wait for other work within the same holder. To avoid deadlocks, always take two locks in the same order.
   */
  withLock<Result>(name: string, work: () => Promise<Result>): Promise<Result>;
  /**
   * Notifies all nodes including this one; resolves once the message is sent. A message is an ID or similar, at most
   * 8,000 bytes, never content.
   */
  publish(topic: string, message: string): Promise<void>;
  /**
   * Calls `listener` for each message until the returned function is called.
   *
   * @param missed called when messages may have been lost, so that the state must be compared again
   */
  subscribe(topic: string, listener: (message: string) => void, missed?: () => void): () => void;
  /** Whether messages of other nodes arrive. While they do not, a cache that relies on them must not be used. */
  isListening(): boolean;
  /**
   * Acquires a named lease for this node, until it is released or the node dies; undefined if it is taken.
   *
   * @param data must be serializable as JSON; visible to others through `holder`
   */
  lease(name: string, data: unknown): Promise<Lease | undefined>;
  /** Data of the lease's present holder; undefined if there is none. */
  holder(name: string): Promise<unknown>;
  /** Runs startup work on one node at a time; `work` must be idempotent. */
  atStart<Result>(name: string, work: () => Promise<Result>): Promise<Result>;
  /**
   * Runs `work` on schedule on one node, never concurrently. It runs under a lease of that name and must stop when
   * this is lost.
   *
   * @param cron in Croner's format, in the process's time zone
   */
  oneNode(name: string, cron: string, work: (lost: AbortSignal) => Promise<void>): Scheduled;
  /** Counts by key in fixed windows of `seconds`. */
  limiter(name: string, seconds: number): Limiter;
  /** Leaky-bucket counters by key that leak `perMinute`. */
  leakyCounts(name: string, perMinute: () => number): LeakyCounts;
  /** A semaphore for each key. */
  slots(name: string): Slots;
}

export interface Lease {
  /** Aborted if this node loses the lease without releasing it; work under it must stop. */
  lost: AbortSignal;
  /** Never rejects. Without a database, the lease stays taken until the node renews its leases or until it expires. */
  release(): Promise<void>;
}

export type Slot = Pick<Lease, 'release'>;

export interface Scheduled {
  /** Undefined if there is no next run. */
  nextRun(): Date | undefined;
  /** Stops scheduling; running work continues. */
  stop(): void;
}

export interface Limiter {
  /** Increments and returns the count and the end of the window. */
  add(key: string): Promise<{ count: number; endsAt: Date }>;
}

export interface LeakyCounts {
  /** The present count, and milliseconds since the last addition. */
  read(key: string): Promise<{ count: number; age: number }>;
  add(key: string): Promise<void>;
  /** Undoes one addition. */
  takeBack(key: string): Promise<void>;
  forget(key: string): Promise<void>;
}

export interface Slots {
  /** Undefined if all slots of the key are taken. */
  take(key: string, most: number): Promise<Slot | undefined>;
}
