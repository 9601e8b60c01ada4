import { type CheckOverride, overrideSchema } from '@knowhow/shared/skills/publication-checks';
import { parseJson } from '../../../platform/lib/parse-json.ts';

/** Reads the column `override`; undefined if it is invalid. */
export function parseOverride(written: string): CheckOverride | undefined {
  return overrideSchema.safeParse(parseJson(written)).data;
}
