/**
 * What the nodes of an installation on PostgreSQL share of their work. Numbers of time are milliseconds since 1970 by
 * the clock of the database. None is in a backup.
 */
export interface NodeTables {
  nodes: {
    id: string;
    /** Of its machine, with the number of its process. */
    name: string;
    /** Of the application. */
    version: string;
    started: number;
    seen: number;
    /** Its own connection, as `cluster/postgres/dead-nodes` names it. */
    backend: string | null;
  };
  /** Names that belong to a node for a while. One that is over may be taken by another. */
  leases: {
    name: string;
    /** Of this holding. */
    id: string;
    node: string;
    /** JSON. */
    data: string;
    until: number;
  };
  /** When scheduled work was last begun. */
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
    /** As it was at that time. */
    count: number;
    at: number;
    /** When it was last added to. */
    added: number;
  };
}

/** Written at all times, also while nobody else may write. */
export const nodeTables: readonly (keyof NodeTables)[] = [
  'nodes',
  'leases',
  'schedules',
  'window_counts',
  'leaky_counts',
];
