/** A JSON object as it is in a file: placeholders are not filled, unknown keys are there. */
export type RawConfig = Record<string, unknown>;

export function isRecord(value: unknown): value is RawConfig {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
