import { configureGlobal } from 'fast-check';
import { inject } from 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    /** PostgreSQL URL for tests; empty for SQLite. */
    postgres: string;
    /** How often servers are killed. */
    crashes: number;
    /** Number of concurrent conversations while nodes are killed, and number of kills. */
    talks: number;
    nodeKills: number;
    /** Number of shared skill writes of nodes. */
    sharedWrites: number;
    /** Seed of all randomized tests. */
    seed: number;
    /** Timeout of `waitFor` in ms. */
    patience: number;
    /** Whether to test all wire formats with every window and language. */
    fitsAll: boolean;
  }
}

// Vitest setup file of the server.
configureGlobal({ seed: inject('seed') });
