import { type Localized, localizedSchema } from '@knowhow/shared/config/localized';
import { isRecord } from '@knowhow/shared/is-record';

/** A raw configuration from a file: it may contain anything. */
export type Config = Record<string, unknown>;

/** The value if it is a string. */
export function asText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

export function asNumber(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}

export function asList(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The strings of a list; other entries are dropped. */
export function asTexts(value: unknown): string[] {
  return asList(value).filter((item) => typeof item === 'string');
}

export function asRecord(value: unknown): Config {
  return isRecord(value) ? value : {};
}

export function asLocalized(value: unknown): Localized | undefined {
  return localizedSchema.safeParse(value).data;
}
