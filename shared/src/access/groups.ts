import { z } from 'zod';
import { itemIdSchema } from '../config/item-id.ts';
import { isRecord } from '../is-record.ts';
import { adminAccessSchema } from './admin-rights.ts';
import { groupQuotasSchema } from './quotas.ts';

/** What a group may use: ids, or `*` for all. A missing list grants nothing. */
export const permissionsSchema = z.looseObject({
  apps: z.array(z.string()).optional(),
  models: z.array(z.string()).optional(),
  prompts: z.array(z.string()).optional(),
  skills: z.array(z.string()).optional(),
  /** Of tools also `<source>` for all of a source, and `<source>/<name>`. */
  tools: z.array(z.string()).optional(),
  /** What its members look after: all, nothing, or what is listed. */
  adminAccess: adminAccessSchema.optional(),
});

export const groupSchema = z.looseObject({
  id: itemIdSchema,
  name: z.string(),
  description: z.string().optional(),
  inherits: z.array(z.string()).optional(),
  /** Groups of a directory whose members are in this one: `staff`, or of one provider `keycloak:staff`. */
  mappings: z.array(z.string().min(1).max(300)).max(1000).optional(),
  permissions: permissionsSchema.optional(),
  /** How much its members may use. */
  quotas: groupQuotasSchema.optional(),
});
export type Group = z.infer<typeof groupSchema>;

/** Groups by their key, which is also the id and the name of a group that has none. */
export function withGroupNames(groups: unknown): unknown {
  return isRecord(groups)
    ? Object.fromEntries(
        Object.entries(groups).map(([key, group]) => [
          key,
          isRecord(group) ? { id: key, name: key, ...group } : group,
        ]),
      )
    : groups;
}

/** `contents/config/groups.json`. Unknown fields are kept. */
export const groupsConfigSchema = z.looseObject({
  groups: z.preprocess(withGroupNames, z.record(z.string(), groupSchema)),
});
