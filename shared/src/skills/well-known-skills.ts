import { z } from 'zod';
import { endpoint, fileEndpoint } from '../endpoint.ts';

/** The schema of the index: Agent Skills Discovery 0.2.0. */
export const discoverySchema = 'https://schemas.agentskills.io/discovery/0.2.0/schema.json';

const publishedSkillSchema = z.object({
  /** 1 to 64 of `a-z`, `0-9` and single hyphens. */
  name: z.string(),
  /** `skill-md` for a skill that is only a `SKILL.md`; otherwise a tar.gz with its files at the top. */
  type: z.enum(['skill-md', 'archive']),
  /** At most 1,024 characters. */
  description: z.string(),
  /** Relative to the address of the index (RFC 3986). */
  url: z.string(),
  /** `sha256:` and 64 hexadecimal digits, over the bytes at `url`. */
  digest: z.string(),
});
export type PublishedSkill = z.infer<typeof publishedSkillSchema>;

const params = z.strictObject({ name: z.string().min(1).max(64) });
const forPrograms = { method: 'GET', access: 'user', scope: 'skills', inFrame: false } as const;

/** Skills at the well-known address of Agent Skills Discovery 0.2.0 (RFC 8615). */
export const wellKnownSkillsApi = {
  index: endpoint({
    ...forPrograms,
    path: '/.well-known/agent-skills/index.json',
    summary: 'The skills that the caller may use, for other agents (Agent Skills Discovery 0.2.0)',
    response: z.object({ $schema: z.string(), skills: z.array(publishedSkillSchema) }),
  }),
  manifest: fileEndpoint({
    ...forPrograms,
    path: '/.well-known/agent-skills/:name/SKILL.md',
    summary: 'The `SKILL.md` of a published skill',
    isDownload: true,
    params,
  }),
  archive: fileEndpoint({
    ...forPrograms,
    path: '/.well-known/agent-skills/:name.tar.gz',
    summary: 'The files of a published skill as a reproducible archive',
    isDownload: true,
    params,
  }),
};
