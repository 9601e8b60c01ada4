/** Whether an error means that the work was cancelled rather than failed. */
export function isCancellation(error: unknown): boolean {
  // Abort reasons that are not problems are symbols.
  return typeof error === 'symbol' || (error instanceof Error && error.name === 'AbortError');
}
