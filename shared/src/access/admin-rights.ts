import { z } from 'zod';
import { categoryKey } from '../skills/skill-category.ts';

/** Admin rights, mostly one per admin page. */
export const adminRights = [
  'skills',
  'publish',
  'tools',
  'apps',
  'groups',
  'users',
  'keys',
  'sign-in',
  'models',
  'prompts',
  'settings',
  'backups',
  'analytics',
  'traces',
  'audit',
] as const;
export type AdminRight = (typeof adminRights)[number];

/** All rights, including those that later versions add. */
export const everyRight = '*';

const listSchema = z.array(z.enum([...adminRights, everyRight]));

/** Admin rights on the skills of some categories: to save and submit drafts, to decide about reviews, to block. */
export const skillRights = ['author', 'publish', 'block'] as const;
export type SkillRight = (typeof skillRights)[number];

/** Any scope of a right on skills, as endpoints require it. */
export type AnyScope = `skill-${SkillRight}`;
/** A right on the skills of a category, by its `categoryKey`, or of all categories, with `*`. */
export type ScopedRight = `${AnyScope}:${string}`;

/** `adminAccess` of a group: all rights with `true`, none with `false`, or a list. */
export const adminAccessSchema = z.union(
  [z.boolean(), listSchema],
  `true, false, or a list of ${adminRights.join(', ')}.`,
);

const scopedRight = z.templateLiteral(['skill-', z.enum(skillRights), ':', z.string().min(1)]);

/** The admin rights of an account, in the API's form: a single `*` means all. */
export const heldRightsSchema = z.array(
  z.union([z.enum([...adminRights, everyRight]), scopedRight]),
);
export type HeldRights = z.infer<typeof heldRightsSchema>;

/**
 * Whether one of these rights is held. Without any named right, all are required. `skill-author` is held with any
 * scope.
 */
export function holdsRight(
  held: readonly string[],
  required: readonly (AdminRight | AnyScope)[],
): boolean {
  return (
    held.includes(everyRight) ||
    required.some((right) => held.some((each) => each === right || each.startsWith(`${right}:`)))
  );
}

/** The categories, by `categoryKey`, whose skills a right covers; or all, also those without a category. */
export type SkillScope = 'all' | ReadonlySet<string>;

/** Whether a scope covers a skill of these categories: each of them must be covered. */
export function coversCategories(
  scope: SkillScope,
  categories: readonly (string | undefined)[],
): boolean {
  const keys = categories.map(categoryKey);
  return scope === 'all' || (keys.length > 0 && keys.every((key) => key && scope.has(key)));
}

/** The rights on all skills that the right to manage skills, and that to publish them, include. */
const includedIn = { author: 'skills', block: 'skills', publish: 'publish' } as const;

/** The skills that these rights cover together. */
export function getSkillScope(
  held: readonly string[],
  rights: readonly SkillRight[] = skillRights,
): SkillScope {
  const covered = rights.flatMap((right) => {
    const prefix = `skill-${right}:`;
    const scoped = held.filter((each) => each.startsWith(prefix));
    const categories = scoped.map((each) => each.slice(prefix.length));
    return holdsRight(held, [includedIn[right]]) ? [everyRight, ...categories] : categories;
  });
  return covered.includes(everyRight) ? 'all' : new Set(covered);
}
