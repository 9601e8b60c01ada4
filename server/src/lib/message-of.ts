/** The message of an error; other thrown values as text. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
