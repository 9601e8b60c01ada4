/** A JSON object as it is in a file: placeholders are not filled, unknown keys are there. */
export type RawConfig = Record<string, unknown>;
