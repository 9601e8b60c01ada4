import { z } from 'zod';

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

/** `adminAccess` of a group: all rights with `true`, none with `false`, or a list. */
export const adminAccessSchema = z.union(
  [z.boolean(), listSchema],
  `true, false, or a list of ${adminRights.join(', ')}.`,
);

/** The admin rights of an account, in the API's form: a single `*` means all. */
export const heldRightsSchema = listSchema;
export type HeldRights = z.infer<typeof heldRightsSchema>;

/** Whether one of these rights is held. Without any named right, all are required. */
export function holdsRight(held: readonly string[], required: readonly AdminRight[]): boolean {
  return held.includes(everyRight) || required.some((right) => held.includes(right));
}
