import { z } from 'zod';
import { itemIdSchema } from '../config/item-id.ts';
import { endpoint } from '../endpoint.ts';

/** The source that a skill was taken from. */
export const skillUpstreamSchema = z.object({
  /** The id of the source. */
  source: z.string(),
  /** The name of the skill in the repository. */
  name: z.string(),
  /** Its name here; omitted if it is unknown. */
  localName: z.string().optional(),
  /** The address of the repository. */
  url: z.string(),
  /** Its folder in the repository. */
  path: z.string(),
  /** The commit that was taken last. */
  commit: z.string(),
  /** ISO 8601, UTC: since when syncs leave it alone. Omitted if it follows the source. */
  detachedAt: z.string().optional(),
  /** Whether there is a source of this id, and it reads this repository. */
  isReadable: z.boolean(),
  /** Whether the source has credentials, with which a branch may be pushed. */
  hasCredentials: z.boolean(),
});
export type SkillUpstream = z.infer<typeof skillUpstreamSchema>;

const admin = (text: string) => ({ access: 'admin' as const, summary: text });
const skillInSource = z.strictObject({ id: itemIdSchema, name: z.string().min(1).max(300) });
const at = '/api/admin/skill-sources/:id/skills';
const list = z.object({ items: z.array(skillUpstreamSchema) });

/** The message of a commit: texts with line breaks, but no other control characters. */
const message = z
  .string()
  .trim()
  .min(1)
  .max(2000)
  .regex(/^(?:[^\p{Cc}]|\n)*$/u, 'The message has no control characters but line breaks.');

export const skillUpstreamsApi = {
  ofSkill: endpoint({
    ...admin('The sources from which a skill was taken, by its name here'),
    method: 'GET',
    path: '/api/admin/skills/:name/upstreams',
    params: z.strictObject({ name: z.string().min(1).max(300) }),
    response: list,
  }),
  ofSource: endpoint({
    ...admin('The skills that were taken from a source'),
    method: 'GET',
    path: at,
    params: z.strictObject({ id: itemIdSchema }),
    response: list,
  }),
  detach: endpoint({
    ...admin('Detaches a skill from its source: later syncs leave it alone'),
    method: 'POST',
    path: `${at}/:name/detach`,
    params: skillInSource,
    response: skillUpstreamSchema,
  }),
  follow: endpoint({
    ...admin('Lets a detached skill follow its source again'),
    method: 'POST',
    path: `${at}/:name/follow`,
    params: skillInSource,
    response: skillUpstreamSchema,
  }),
  propose: endpoint({
    ...admin(
      'Pushes a branch with the files of the skill here, on top of the commit that was taken last',
    ),
    method: 'POST',
    path: `${at}/:name/propose`,
    params: skillInSource,
    body: z.strictObject({ message }),
    response: z.object({
      branch: z.string(),
      commit: z.string(),
      /** The page of the git server that compares the branch; omitted for an unknown server. */
      compareUrl: z.string().optional(),
    }),
  }),
};
