import { configureGlobal } from 'fast-check';
import { inject } from 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    /** Where tests have PostgreSQL; empty for SQLite. */
    postgres: string;
    /** How often servers are killed. */
    crashes: number;
    /** How many talk at once while nodes are killed, and how often they are. */
    talks: number;
    nodeKills: number;
    /** How many writes of skills nodes share. */
    sharedWrites: number;
    /** Of all that is tried at random. */
    seed: number;
    /** How long to wait for what has to come, in ms. */
    patience: number;
    /** Whether each wire is tried with each window and language. */
    fitsAll: boolean;
  }
}

// For Vitest, before each file of the server.
configureGlobal({ seed: inject('seed') });
