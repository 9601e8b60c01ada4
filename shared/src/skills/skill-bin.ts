import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { listOf, pageQuery, searchQuery } from '../list.ts';
import { overrideRequest } from './publication-checks.ts';
import { bulkFailureSchema } from './skill-bulk.ts';

/** A deleted skill, with what a restore brings back. */
export const binnedSkillSchema = z.object({
  name: z.string(),
  displayName: z.string(),
  /** Number of the deletion among its versions. */
  number: z.number().int(),
  /** ISO 8601, UTC. */
  deletedAt: z.string(),
  /** Display name; omitted for a folder that was removed in the file system. */
  deletedBy: z.string().optional(),
  /** ISO 8601, UTC: it is deleted permanently then; omitted if deleted skills are kept. */
  removedAt: z.string().optional(),
  /** Number of versions with files. */
  versions: z.number().int(),
  /** Files and bytes of the newest of them. */
  files: z.number().int(),
  bytes: z.number().int(),
  /** Display name of its former owner; omitted for one that no longer exists. */
  owner: z.string().optional(),
  /** Names of the apps that listed it, of those that still exist. */
  apps: z.array(z.string()),
  /** Names of the groups that had it, of those that still exist. */
  groups: z.array(z.string()),
  /** Whether it had settings of its own. */
  hasSettings: z.boolean(),
});
export type BinnedSkill = z.infer<typeof binnedSkillSchema>;

const name = z.string().min(1).max(300);
const most = 20_000;

const changeResult = z.object({
  done: z.array(z.string()),
  /** The others; a failure does not stop the rest. */
  failed: z.array(bulkFailureSchema),
});
export type BinResult = z.infer<typeof changeResult>;

export const skillBinApi = {
  list: endpoint({
    access: 'admin',
    summary: 'Deleted skills, the last deleted first',
    method: 'GET',
    // No skill can have the name "-".
    path: '/api/admin/skills/-/bin',
    query: pageQuery.extend({ query: searchQuery }),
    response: listOf(binnedSkillSchema).extend({
      /** Days for which deleted skills are kept; 0: until they are deleted permanently. */
      days: z.number(),
      /** Number of all deleted skills, whatever the search. */
      all: z.number().int(),
    }),
  }),
  restore: endpoint({
    access: 'admin',
    summary: 'Restores deleted skills with their versions, owners, assignments and settings',
    method: 'POST',
    path: '/api/admin/skills/-/bin/restore',
    body: z.strictObject({
      names: z.array(name).min(1).max(most),
      /** Restores them although required checks fail. */
      override: overrideRequest,
    }),
    response: changeResult,
  }),
  remove: endpoint({
    access: 'admin',
    summary: 'Deletes deleted skills permanently, with all their versions',
    method: 'POST',
    path: '/api/admin/skills/-/bin/delete',
    body: z.strictObject({
      /** With the number of the deletion that the client has seen. */
      skills: z
        .array(z.strictObject({ name, number: z.number().int().positive() }))
        .min(1)
        .max(most),
    }),
    response: changeResult,
  }),
  empty: endpoint({
    access: 'admin',
    summary: 'Deletes all skills permanently that were deleted up to a time',
    method: 'POST',
    path: '/api/admin/skills/-/bin/empty',
    body: z.strictObject({
      /** When the last deleted skill was deleted that the client has seen. */
      until: z.iso.datetime(),
    }),
    response: changeResult,
  }),
};
