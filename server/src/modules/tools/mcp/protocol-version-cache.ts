import type { Era } from './server-session.ts';

/** After this time, a server's protocol era is detected again. */
const ttlMs = 24 * 60 * 60_000;

/** Caches the detected protocol era of a stdio server. */
export class ProtocolVersionCache {
  #found: { era: Era; at: number } | undefined;

  keep(era: Era | undefined): void {
    this.#found = era && { era, at: Date.now() };
  }

  known(): Era | undefined {
    return this.#found && Date.now() - this.#found.at < ttlMs ? this.#found.era : undefined;
  }
}
