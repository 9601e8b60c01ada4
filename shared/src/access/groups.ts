import { z } from 'zod';
import { itemIdSchema } from '../config/item-id.ts';
import { isRecord } from '../is-record.ts';
import { personalSkillLevels } from '../skills/personal-skills.ts';
import { categoryKey } from '../skills/skill-category.ts';
import { adminAccessSchema, type SkillRight } from './admin-rights.ts';
import { groupQuotasSchema } from './quotas.ts';

const namedCategory = z
  .string()
  .refine((name) => categoryKey(name) !== undefined, 'Name a category.');

/** Permissions of a group: ids, or `*` for all. A missing list grants nothing. */
export const permissionsSchema = z.looseObject({
  apps: z.array(z.string()).optional(),
  models: z.array(z.string()).optional(),
  prompts: z.array(z.string()).optional(),
  skills: z.array(z.string()).optional(),
  /** Categories whose skills are granted, also future ones. Case does not count. */
  skillCategories: z
    .array(
      namedCategory.refine(
        (name) => name.trim() !== '*',
        'Name a category. For all skills, set "skills": ["*"].',
      ),
    )
    .optional(),
  /** For tools also `<source>` for all tools of a source, and `<source>/<name>`. */
  tools: z.array(z.string()).optional(),
  /** The permission of members to have skills of their own; by default, they have none. */
  personalSkills: z.enum(personalSkillLevels).optional(),
  /** Admin rights of its members: all, none, or a list. */
  adminAccess: adminAccessSchema.optional(),
  /** Admin rights of its members on skills of these categories; `*` for all skills. */
  skillRights: z
    .strictObject({
      author: z.array(namedCategory).optional(),
      publish: z.array(namedCategory).optional(),
      block: z.array(namedCategory).optional(),
    } satisfies Record<SkillRight, unknown>)
    .optional(),
});

export const groupSchema = z.looseObject({
  id: itemIdSchema,
  name: z.string(),
  description: z.string().optional(),
  inherits: z.array(z.string()).optional(),
  /**
   * Groups at identity providers whose members belong to this group: `staff`, or `keycloak:staff`
   * for one provider.
   */
  mappings: z.array(z.string().min(1).max(300)).max(1000).optional(),
  permissions: permissionsSchema.optional(),
  /** Quotas of its members. */
  quotas: groupQuotasSchema.optional(),
});
export type Group = z.infer<typeof groupSchema>;

/** Groups by key, which is the default for id and name. */
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

/** `contents/config/groups.json`. Unknown fields are preserved. */
export const groupsConfigSchema = z.looseObject({
  groups: z.preprocess(withGroupNames, z.record(z.string(), groupSchema)),
});
