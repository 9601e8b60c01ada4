/** Limits of requests to an embedder. Times are in milliseconds. */
export interface EmbeddingLimits {
  /** Maximum memory for embeddings. */
  maxBytes: number;
  /** Maximum characters of a text: some embedders read no more. */
  text: number;
  /** Maximum texts per request. */
  perRequest: number;
  /** Timeout of a request for skills. */
  patienceMs: number;
  /** Delays of retries; the last one repeats. */
  againMs: readonly number[];
  /** Pause after a failed question, during which no other is embedded. */
  noQuestionsMs: number;
}

export const defaultEmbeddingLimits: EmbeddingLimits = {
  maxBytes: 64 * 1024 * 1024,
  text: 4000,
  perRequest: 32,
  patienceMs: 30_000,
  againMs: [1000, 5000, 60_000],
  noQuestionsMs: 10_000,
};
