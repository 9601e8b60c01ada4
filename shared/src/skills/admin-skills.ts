import { z } from 'zod';
import { endpoint, fileEndpoint } from '../endpoint.ts';
import { listOf, pageQuery, searchQuery } from '../list.ts';
import { lineOf } from '../names.ts';
import {
  adminSkillDetailSchema,
  adminSkillListSchema,
  maxDisplayNameLength,
  skillAccessSchema,
  skillFacetFields,
  skillFacetSchema,
  skillProblems,
  skillSourceKinds,
  skillStatuses,
} from './admin-skill.ts';
import { fieldTextsSchema } from './edited-fields.ts';
import { writeQuery } from './publication-checks.ts';
import { topShape } from './skill-fields.ts';
import { saidSchema } from './skills.ts';
import { skillDeprecationSchema } from './skills-config.ts';

/** The name of a new skill; its validity is checked separately, with a better message. */
const newName = z.string().trim().min(1).max(300);
const skillName = z.strictObject({ name: z.string().min(1).max(300) });
const summary = (text: string) => ({ access: 'admin' as const, summary: text });

const names = z
  .string()
  .max(20_000)
  .transform((text) => text.split(',').filter((name) => name !== ''));

export const adminSkillsApi = {
  list: endpoint({
    ...summary('All skills, including disabled, broken and shadowed ones'),
    method: 'GET',
    path: '/api/admin/skills',
    query: pageQuery.extend({
      query: searchQuery,
      source: z.enum(skillSourceKinds).optional(),
      status: z.enum(skillStatuses).optional(),
      category: z.string().max(200).optional(),
      tag: z.string().max(200).optional(),
      /** A required tool. */
      tool: z.string().max(200).optional(),
      /** An app that offers the skill. */
      app: z.string().max(100).optional(),
      problems: z.enum(skillProblems).optional(),
      sort: z.enum(['name', 'status', 'source', 'updated', 'uses', 'used']).optional(),
      order: z.enum(['asc', 'desc']).optional(),
    }),
    response: adminSkillListSchema,
  }),
  facets: endpoint({
    ...summary('Categories, tags or required tools of all skills, most frequent first'),
    method: 'GET',
    path: '/api/admin/skill-facets',
    query: pageQuery.extend({
      field: z.enum(skillFacetFields),
      /** Part of the value, case-insensitive. */
      query: searchQuery,
    }),
    response: listOf(skillFacetSchema),
  }),
  create: endpoint({
    ...summary('Creates a skill'),
    method: 'POST',
    path: '/api/admin/skills',
    query: writeQuery,
    body: z.strictObject({
      name: newName,
      description: z.string().trim().min(1),
      body: z
        .string()
        .max(2_000_000)
        .refine((text) => text.trim() !== '', 'The instructions are empty. Write what to do.'),
      ...topShape,
      metadata: z.record(z.string(), z.string()).optional(),
      /** Display name: stored as the admin's override, not in the file. */
      displayName: z.string().trim().min(1).max(maxDisplayNameLength).optional(),
    }),
    response: adminSkillDetailSchema,
  }),
  checkName: endpoint({
    ...summary('Checks the name of a new skill, and derives a slug from a title'),
    method: 'GET',
    path: '/api/admin/skills/check-name',
    query: z.strictObject({ name: z.string().max(300) }),
    response: z.object({
      /** The derived name. */
      name: z.string(),
      free: z.boolean(),
      /** Whether the input is a valid name as it is. */
      valid: z.boolean(),
      /** Why it cannot be used. */
      ...saidSchema.partial().shape,
    }),
  }),
  get: endpoint({
    ...summary('A skill with all its details'),
    method: 'GET',
    path: '/api/admin/skills/:name',
    params: skillName,
    response: adminSkillDetailSchema,
  }),
  update: endpoint({
    ...summary('Enables or disables a skill, and changes its overrides and assignments'),
    method: 'PUT',
    path: '/api/admin/skills/:name',
    params: skillName,
    body: z.strictObject({
      enabled: z.boolean().optional(),
      /** An empty text removes an override; an omitted one leaves it unchanged. */
      overrides: z
        .strictObject({
          description: z.string().max(4000).optional(),
          displayName: lineOf(maxDisplayNameLength).optional(),
        })
        .optional(),
      /** Only if there is a runner. */
      allowScriptExecution: z.boolean().optional(),
      /** The current checksum of its files, so that scripts run without asking; '' to ask again. */
      approvedScripts: z
        .string()
        .regex(/^([0-9a-f]{64})?$/)
        .optional(),
      /** The approved checksum of a skill on another server; an empty text revokes the approval. */
      approved: z.string().max(64).optional(),
      priority: z.number().int().min(-1000).max(1000).optional(),
      global: z.boolean().optional(),
      discoverable: z.boolean().optional(),
      /** `null` ends the deprecation. */
      deprecated: z
        .strictObject(skillDeprecationSchema.pick({ successor: true, note: true }).shape)
        .nullable()
        .optional(),
      /** All apps that list it, and all groups that grant it. */
      apps: z.array(z.string()).max(1000).optional(),
      groups: z.array(z.string()).max(1000).optional(),
    }),
    response: adminSkillDetailSchema,
  }),
  remove: endpoint({
    ...summary('Deletes a skill; its versions are kept, so that it can be restored'),
    method: 'DELETE',
    path: '/api/admin/skills/:name',
    params: skillName,
    query: writeQuery.pick({ message: true }),
    response: z.object({ name: z.string(), restorable: z.number().int() }),
  }),
  duplicate: endpoint({
    ...summary('Copies a skill of any source to a new local skill'),
    method: 'POST',
    path: '/api/admin/skills/:name/duplicate',
    params: skillName,
    query: writeQuery,
    body: z.strictObject({ name: newName }),
    response: adminSkillDetailSchema,
  }),
  fix: endpoint({
    ...summary('Fixes a diagnostic automatically, by its code'),
    method: 'POST',
    path: '/api/admin/skills/:name/fix',
    params: skillName,
    query: writeQuery,
    body: z.strictObject({ code: z.string().max(100) }),
    response: adminSkillDetailSchema,
  }),
  editFields: endpoint({
    ...summary('Changes fields in the frontmatter of a skill and preserves the rest'),
    method: 'PUT',
    path: '/api/admin/skills/:name/fields',
    params: skillName,
    query: writeQuery,
    body: fieldTextsSchema,
    response: adminSkillDetailSchema,
  }),
  export: fileEndpoint({
    ...summary('Downloads a skill as an archive'),
    method: 'GET',
    path: '/api/admin/skills/:name/export',
    isDownload: true,
    params: skillName,
    query: z.strictObject({ format: z.enum(['zip', 'tar.gz', 'json']).optional() }),
  }),
  exportMany: fileEndpoint({
    ...summary('Downloads several skills as one zip'),
    method: 'GET',
    path: '/api/admin/export/skills',
    isDownload: true,
    query: z.strictObject({ names }),
  }),
  access: endpoint({
    ...summary('Access to a skill for each group in each app, with the deciding rule'),
    method: 'GET',
    path: '/api/admin/skills/:name/access',
    params: skillName,
    response: skillAccessSchema,
  }),
};
