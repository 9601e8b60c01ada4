import { z } from 'zod';
import { endpoint, fileEndpoint } from '../endpoint.ts';
import { listOf, pageQuery, searchQuery } from '../list.ts';
import { lineOf } from '../names.ts';
import {
  adminSkillDetailSchema,
  adminSkillListSchema,
  mostDisplayName,
  skillAccessSchema,
  skillFacetFields,
  skillFacetSchema,
  skillProblems,
  skillSourceKinds,
  skillStatuses,
} from './admin-skill.ts';
import { fieldTextsSchema, topShape } from './skill-fields.ts';
import { saidSchema } from './skills.ts';

/** The name of a new skill; whether it is a legal one is checked with a better word. */
const newName = z.string().trim().min(1).max(300);
const skillName = z.strictObject({ name: z.string().min(1).max(300) });
const summary = (text: string) => ({ access: 'admin' as const, summary: text });

const names = z
  .string()
  .max(20_000)
  .transform((text) => text.split(',').filter((name) => name !== ''));

export const adminSkillsApi = {
  list: endpoint({
    ...summary('All skills, also those that are off, broken or shadowed'),
    method: 'GET',
    path: '/api/admin/skills',
    query: pageQuery.extend({
      query: searchQuery,
      source: z.enum(skillSourceKinds).optional(),
      status: z.enum(skillStatuses).optional(),
      category: z.string().max(200).optional(),
      tag: z.string().max(200).optional(),
      /** A tool that it requires. */
      tool: z.string().max(200).optional(),
      /** An app that offers it. */
      app: z.string().max(100).optional(),
      problems: z.enum(skillProblems).optional(),
      sort: z.enum(['name', 'status', 'source', 'updated', 'uses', 'used']).optional(),
      order: z.enum(['asc', 'desc']).optional(),
    }),
    response: adminSkillListSchema,
  }),
  facets: endpoint({
    ...summary('Categories, tags or required tools of all skills, the most frequent first'),
    method: 'GET',
    path: '/api/admin/skill-facets',
    query: pageQuery.extend({
      field: z.enum(skillFacetFields),
      /** Part of the value, in any case. */
      query: searchQuery,
    }),
    response: listOf(skillFacetSchema),
  }),
  create: endpoint({
    ...summary('Writes a new skill'),
    method: 'POST',
    path: '/api/admin/skills',
    body: z.strictObject({
      name: newName,
      description: z.string().trim().min(1),
      body: z
        .string()
        .max(2_000_000)
        .refine((text) => text.trim() !== '', 'The instructions are empty. Write what to do.'),
      ...topShape,
      metadata: z.record(z.string(), z.string()).optional(),
      /** What people read in place of the name: kept as the admin's own, not in the file. */
      displayName: z.string().trim().min(1).max(mostDisplayName).optional(),
    }),
    response: adminSkillDetailSchema,
  }),
  checkName: endpoint({
    ...summary('Whether a new skill may have a name, and the slug made of a title'),
    method: 'GET',
    path: '/api/admin/skills/check-name',
    query: z.strictObject({ name: z.string().max(300) }),
    response: z.object({
      /** The name made of what was given. */
      name: z.string(),
      free: z.boolean(),
      /** What was given is a legal name as it is. */
      valid: z.boolean(),
      /** Why it cannot be used. */
      ...saidSchema.partial().shape,
    }),
  }),
  get: endpoint({
    ...summary('One skill, with all its details'),
    method: 'GET',
    path: '/api/admin/skills/:name',
    params: skillName,
    response: adminSkillDetailSchema,
  }),
  update: endpoint({
    ...summary('Switches a skill, and says who gets it where'),
    method: 'PUT',
    path: '/api/admin/skills/:name',
    params: skillName,
    body: z.strictObject({
      enabled: z.boolean().optional(),
      /** An empty text takes an override away; one that is left out stays. */
      overrides: z
        .strictObject({
          description: z.string().max(4000).optional(),
          displayName: lineOf(mostDisplayName).optional(),
        })
        .optional(),
      /** Only where there is a runner. */
      allowScriptExecution: z.boolean().optional(),
      /** The checksum of its files as they are now, so that nobody is asked before a script runs; '' to ask again. */
      approvedScripts: z
        .string()
        .regex(/^([0-9a-f]{64})?$/)
        .optional(),
      /** The checksum that is approved of a skill on another server; an empty text takes it back. */
      approved: z.string().max(64).optional(),
      priority: z.number().int().min(-1000).max(1000).optional(),
      global: z.boolean().optional(),
      /** All apps that shall list it, and all groups that shall grant it. */
      apps: z.array(z.string()).max(1000).optional(),
      groups: z.array(z.string()).max(1000).optional(),
    }),
    response: adminSkillDetailSchema,
  }),
  remove: endpoint({
    ...summary('Deletes a skill; its history stays, so that it can be brought back'),
    method: 'DELETE',
    path: '/api/admin/skills/:name',
    params: skillName,
    response: z.object({ name: z.string(), restorable: z.number().int() }),
  }),
  duplicate: endpoint({
    ...summary('Copies a skill of any source to a new local one'),
    method: 'POST',
    path: '/api/admin/skills/:name/duplicate',
    params: skillName,
    body: z.strictObject({ name: newName }),
    response: adminSkillDetailSchema,
  }),
  fix: endpoint({
    ...summary('Fixes what a machine can: the diagnostic with this code'),
    method: 'POST',
    path: '/api/admin/skills/:name/fix',
    params: skillName,
    body: z.strictObject({ code: z.string().max(100) }),
    response: adminSkillDetailSchema,
  }),
  editFields: endpoint({
    ...summary('Changes fields in the frontmatter of a skill, and leaves the rest of it as it is'),
    method: 'PUT',
    path: '/api/admin/skills/:name/fields',
    params: skillName,
    body: fieldTextsSchema,
    response: adminSkillDetailSchema,
  }),
  export: fileEndpoint({
    ...summary('A skill as an archive'),
    method: 'GET',
    path: '/api/admin/skills/:name/export',
    isDownload: true,
    params: skillName,
    query: z.strictObject({ format: z.enum(['zip', 'tar.gz', 'json']).optional() }),
  }),
  exportMany: fileEndpoint({
    ...summary('Several skills as one zip'),
    method: 'GET',
    path: '/api/admin/export/skills',
    isDownload: true,
    query: z.strictObject({ names }),
  }),
  access: endpoint({
    ...summary('Who sees a skill: each group in each app, and the rule that says so'),
    method: 'GET',
    path: '/api/admin/skills/:name/access',
    params: skillName,
    response: skillAccessSchema,
  }),
};
