import type { Config } from './config-value.ts';

/** A configuration as its file holds it. */
export function configText(config: Config): string {
  return JSON.stringify(config, null, 2);
}

/** Says the same for a configuration and for a text of it, however that is indented. */
export function serialised(value: Config | string): string {
  const content = typeof value === 'string' ? (parsedText(value) ?? value) : value;
  return JSON.stringify(content);
}

/** What a text says as JSON; undefined when it is none. */
export function parsedText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
