import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { adminSkillBlockSchema } from './admin-skill.ts';
import { skillBlockSchema } from './skills-config.ts';

const skillName = z.strictObject({ name: z.string().min(1).max(300) });
const access = 'admin' as const;

/** The block of a skill, and the apps, groups and answers that it affects. */
const skillBlockStateSchema = z.object({
  name: z.string(),
  /** Absent if the skill is not blocked. */
  block: adminSkillBlockSchema.optional(),
  /** Whether there is such a skill: a block outlives it. */
  exists: z.boolean(),
  /** Ids of the apps that offer it, and of the groups that may use it, apart from the block. */
  apps: z.array(z.string()),
  groups: z.array(z.string()),
  /** Answers of the last 30 days in which it was active; absent without analytics. */
  uses: z.number().int().optional(),
});
export type SkillBlockState = z.infer<typeof skillBlockStateSchema>;

/** Blocks stop a skill at once, on all nodes, and keep its files, assignments and history. */
export const skillBlocksApi = {
  get: endpoint({
    access,
    summary: 'The block of a skill, and whom a block affects',
    method: 'GET',
    path: '/api/admin/skills/:name/block',
    params: skillName,
    response: skillBlockStateSchema,
  }),
  put: endpoint({
    access,
    summary: 'Blocks a skill, or changes the reason of its block',
    method: 'PUT',
    path: '/api/admin/skills/:name/block',
    params: skillName,
    body: skillBlockSchema.pick({ reason: true, tellUsers: true }).strict(),
    response: skillBlockStateSchema,
  }),
  remove: endpoint({
    access,
    summary: 'Ends the block of a skill, also of a deleted one',
    method: 'DELETE',
    path: '/api/admin/skills/:name/block',
    params: skillName,
    response: skillBlockStateSchema,
  }),
};
