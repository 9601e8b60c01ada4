import { z } from 'zod';
import { streamEndpoint } from '../endpoint.ts';
import { problemSchema } from '../problem.ts';
import { gitCommitSchema, gitProgressSchema } from './git-commit.ts';
import { archiveReportSchema } from './skill-archives.ts';

/** Exactly one `report` or `error` is the last. */
export const skillAddressEventSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('progress'), ...gitProgressSchema.shape }),
  z.object({ type: z.literal('report'), report: archiveReportSchema, commit: gitCommitSchema }),
  z.object({ type: z.literal('error'), problem: problemSchema }),
]);
export type SkillAddressEvent = z.infer<typeof skillAddressEventSchema>;

export const skillAddressApi = {
  read: streamEndpoint({
    access: 'admin',
    summary:
      'Dry run: validates the skills of a git repository, and reports what an import would do. `import` takes the `token` of the report. Ends with the connection',
    method: 'POST',
    path: '/api/admin/skills/address',
    body: z.strictObject({
      /** A repository, a folder or a `SKILL.md` in one, or `owner/repo` on GitHub. */
      address: z.string().min(1).max(2000),
      /** A branch, tag or commit; default: that of the address, or the default branch. */
      ref: z.string().min(1).max(200).optional(),
      /** A folder; default: that of the address, or all. */
      path: z.string().max(1000).optional(),
    }),
    event: skillAddressEventSchema,
  }),
};
