/** What an embedder is given, and how long it may take. Times are in milliseconds. */
export interface EmbeddingLimits {
  /** What vectors may take of the memory. */
  maxBytes: number;
  /** Of a text so much is sent, in characters: some embedders read no more. */
  text: number;
  /** Texts in a request. */
  perRequest: number;
  /** After which a request for skills is given up. */
  patienceMs: number;
  /** When one has failed, the rest is tried again after this; the last one counts from then on. */
  againMs: readonly number[];
  /** After which a request for a question is given up: somebody waits for it. */
  questionMs: number;
  /** After a question has failed, others are not asked for so long. */
  noQuestionsMs: number;
}

export const usualEmbeddingLimits: EmbeddingLimits = {
  maxBytes: 64 * 1024 * 1024,
  text: 4000,
  perRequest: 32,
  patienceMs: 30_000,
  againMs: [1000, 5000, 60_000],
  questionMs: 400,
  noQuestionsMs: 10_000,
};
