/** Whether a tool is called without arguments. */
export function isEmptyInput(input: unknown): boolean {
  return (
    input === undefined ||
    input === null ||
    (typeof input === 'object' && Object.keys(input).length === 0)
  );
}
