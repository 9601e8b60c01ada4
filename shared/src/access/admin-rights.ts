import { z } from 'zod';

/** What an administrator may look after; mostly a page each. */
export const adminRights = [
  'skills',
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

/** Stands for all of them, also those that a later version adds. */
export const everyRight = '*';

const listSchema = z.array(z.enum([...adminRights, everyRight]));

/** `adminAccess` of a group: all with `true`, none with `false`, or just these. */
export const adminAccessSchema = z.union(
  [z.boolean(), listSchema],
  `true, false, or a list of ${adminRights.join(', ')}.`,
);

/** What an account may look after, as the API says it: `*` alone stands for all. */
export const heldRightsSchema = listSchema;
export type HeldRights = z.infer<typeof heldRightsSchema>;

/** Whether one of these rights is held; where none is named, all have to be. */
export function holdsRight(held: readonly string[], needed: readonly AdminRight[]): boolean {
  return held.includes(everyRight) || needed.some((right) => held.includes(right));
}
