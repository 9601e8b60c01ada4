import type { Kysely } from 'kysely';

/** A message, or a title, that may hold what is looked for. */
export interface SearchedText {
  /** The greater, the newer. */
  id: number;
  /** The one that its owner has, also where the message is in a line of it. */
  conversationId: string;
  /** Empty for a title. */
  messageId: string;
}

/** Where messages and titles are searched, as their database does it. */
export interface SearchedTexts {
  /**
   * The texts of an owner that may hold all these words, the newest first, some at a time: every text that does, and
   * was put in, is among them.
   */
  find<Tables>(
    database: Kysely<Tables>,
    owner: string,
    words: readonly string[],
  ): AsyncGenerator<SearchedText[]>;
  /** Puts in some of what has been noted; answers how many. */
  addNoted<Tables>(database: Kysely<Tables>): Promise<number>;
  /**
   * Lets `write` change many conversations, and makes the index again afterwards: much faster than text by text. To
   * be called in a transaction, so that nobody else sees the gap.
   */
  makeAgain<Tables>(database: Kysely<Tables>, write: () => Promise<void>): Promise<void>;
}
