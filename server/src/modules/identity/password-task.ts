/** Task for `password-worker.ts`, which returns the hash, or whether the password matches. */
export type PasswordTask =
  | { kind: 'hash'; text: string; rounds: number }
  | { kind: 'compare'; text: string; hash: string };

export type PasswordAnswer = string | boolean;
