import type { Era } from './server-session.ts';

/** What was found out of a server that is started here is asked again after so long. */
const keptMs = 24 * 60 * 60_000;

/** The era of the protocol that a server has been found to speak. */
export class ProtocolVersionCache {
  #found: { era: Era; at: number } | undefined;

  keep(era: Era | undefined): void {
    this.#found = era && { era, at: Date.now() };
  }

  known(): Era | undefined {
    return this.#found && Date.now() - this.#found.at < keptMs ? this.#found.era : undefined;
  }
}
