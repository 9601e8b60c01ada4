/** What is asked of `password-worker.ts`; it answers with the hash, or with whether it fits. */
export type PasswordTask =
  | { kind: 'hash'; text: string; rounds: number }
  | { kind: 'compare'; text: string; hash: string };

export type PasswordAnswer = string | boolean;
