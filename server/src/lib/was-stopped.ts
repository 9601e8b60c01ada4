/** Whether this was thrown because somebody ended the work, which is no failure of the work. */
export function wasStopped(error: unknown): boolean {
  // The reason of an abort that is no problem is a symbol.
  return typeof error === 'symbol' || (error instanceof Error && error.name === 'AbortError');
}
