import { z } from 'zod';
import { itemIdSchema } from '../config/item-id.ts';

/** A skill of a source as it was taken. */
const lockedSkillSchema = z.looseObject({
  /** Its name in the repository. */
  name: z.string().min(1).max(300),
  /** Its folder in the repository. */
  path: z.string().max(1024),
  /** Checksum of its files. */
  checksum: z.string().min(1).max(100),
});
type LockedSkill = z.infer<typeof lockedSkillSchema>;

const maxSkills = 50_000;
/** Stops at the first mistake: describing thousands would block the server. */
const lockedSkillsSchema = z.custom<LockedSkill[]>(
  (value) =>
    Array.isArray(value) &&
    value.length <= maxSkills &&
    value.every((each) => lockedSkillSchema.safeParse(each).success),
);

const lockedSourceSchema = z.looseObject({
  id: itemIdSchema,
  /** The address, and the branch, tag or commit, for which the entry counts. */
  url: z.string().min(1).max(2000),
  ref: z.string().min(1).max(200).optional(),
  /** The commit from which skills were taken last. */
  commit: z.string().regex(/^[\da-f]{40,64}$/, 'The commit is not a hash of git.'),
  skills: lockedSkillsSchema,
});
export type LockedSource = z.infer<typeof lockedSourceSchema>;

/**
 * `config/skill-sources-lock.json`: which commit of each source is installed. An installation with the same files begins there, so
 * that the same commit gives the same skills everywhere.
 */
export const sourcesLockSchema = z.looseObject({
  sources: z.array(lockedSourceSchema).max(200).default([]),
});
