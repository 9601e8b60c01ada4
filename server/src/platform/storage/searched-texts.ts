import type { Kysely } from 'kysely';

/** A candidate for a search result: a message or a title. */
export interface SearchedText {
  /** Greater is newer. */
  id: number;
  /** The root conversation, even if the message is in a branch. */
  conversationId: string;
  /** Empty for a title. */
  messageId: string;
}

/** The search index, as implemented by each database. */
export interface SearchedTexts {
  /**
   * Candidate texts of an owner that may contain all these words, newest first, in batches: no
   * indexed match is missing.
   */
  find<Tables>(
    database: Kysely<Tables>,
    owner: string,
    words: readonly string[],
  ): AsyncGenerator<SearchedText[]>;
  /** Indexes some of the noted texts; returns how many. */
  addNoted<Tables>(database: Kysely<Tables>): Promise<number>;
  /**
   * Runs `write`, which may change many conversations, without index updates, and rebuilds the
   * index afterwards: much faster than text by text. Must run in a transaction, so that no reader sees
   * the incomplete index.
   */
  makeAgain<Tables>(database: Kysely<Tables>, write: () => Promise<void>): Promise<void>;
}
