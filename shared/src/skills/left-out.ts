import { z } from 'zod';

const leftOutReasons = [
  'system-file',
  'tool-folder',
  'link',
  'back-slash',
  'special-file',
  'too-large',
  'no-skill',
] as const;
/**
 * `system-file`: left behind by a system or an editor. `tool-folder`: version control, packages or
 * a cache. `link`: a link that is not followed, as it is outside of the skills or leads out of the
 * folder. `back-slash`: a name that other systems read as a path. `special-file`: neither a file nor
 * a folder. `too-large`: a file outside of the skills, above the limit. `no-skill`: not in a skill's
 * folder.
 */
export type LeftOutReason = (typeof leftOutReasons)[number];

/** Files of an archive or a folder that belong to none of its skills. */
export const leftOutSchema = z.object({
  /** A file, or a folder with a trailing `/`. Omitted: all other entries with this reason. */
  path: z.string().optional(),
  /** Number of files at the path. */
  files: z.number().int(),
  why: z.enum(leftOutReasons),
});
export type LeftOut = z.infer<typeof leftOutSchema>;

const maxNamed = 100;

/**
 * Groups entries by path and reason: at most 100 with their path, then one per reason for the rest.
 */
export function summarizeLeftOut(all: readonly LeftOut[]): LeftOut[] {
  const sums = new Map<string, LeftOut>();
  for (const each of all) {
    const named = `${each.why} ${each.path}`;
    const isNamed = each.path !== undefined && (sums.has(named) || sums.size < maxNamed);
    const { path: _, ...further } = each;
    const key = isNamed ? named : each.why;
    const sum = sums.get(key);
    sums.set(key, {
      ...(isNamed ? each : further),
      files: each.files + (sum?.files ?? 0),
    });
  }
  return [...sums.values()].sort(
    (one, other) => Number(one.path === undefined) - Number(other.path === undefined),
  );
}
