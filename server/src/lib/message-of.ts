/** What an error says; of what else was thrown, the same as text. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
