/** A JSON object as stored in a file: with unfilled placeholders and unknown keys. */
export type RawConfig = Record<string, unknown>;
