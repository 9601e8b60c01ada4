/**
 * Coordination of the nodes of an installation on PostgreSQL. Times are milliseconds since 1970 by
 * the clock of the database. Not part of backups.
 */
export interface NodeTables {
  nodes: {
    id: string;
    /** Host name and process id. */
    name: string;
    /** Application version. */
    version: string;
    started: number;
    seen: number;
    /** The backend of its connection, as named by `cluster/postgres/dead-nodes`. */
    backend: string | null;
  };
  /**
   * Leases: names that belong to a node for a limited time. An expired one may be taken by another
   * node.
   */
  leases: {
    name: string;
    /** Id of this lease. */
    id: string;
    node: string;
    /** JSON. */
    data: string;
    until: number;
  };
  /** Last start of scheduled jobs. */
  schedules: {
    name: string;
    began: number;
  };
  window_counts: {
    name: string;
    key: string;
    count: number;
    ends: number;
  };
  leaky_counts: {
    name: string;
    key: string;
    /** Value at the time `at`. */
    count: number;
    at: number;
    /** Time of the last increment. */
    added: number;
  };
}

/** Tables that are written even while all others are locked. */
export const nodeTables: readonly (keyof NodeTables)[] = [
  'nodes',
  'leases',
  'schedules',
  'window_counts',
  'leaky_counts',
];

/** Short-lived counters: on PostgreSQL they need no write-ahead log, and may be lost in a crash. */
export const unloggedTables: readonly (keyof NodeTables)[] = ['window_counts', 'leaky_counts'];
