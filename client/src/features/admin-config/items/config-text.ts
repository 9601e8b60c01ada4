import type { Config } from './config-value.ts';

/** Serialises a configuration as in its file. */
export function serializeConfig(config: Config): string {
  return JSON.stringify(config, null, 2);
}

/** Canonical form: equal for a configuration and its text, whatever the indentation. */
export function canonicalConfig(value: Config | string): string {
  const content = typeof value === 'string' ? (parseConfig(value) ?? value) : value;
  return JSON.stringify(content);
}

/** Parses JSON; undefined if invalid. */
export function parseConfig(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
