import { z } from 'zod';
import { endpoint, fileEndpoint } from '../endpoint.ts';

const forPrograms = { access: 'user', scope: 'skills', inFrame: false } as const;

/** The skills as a read-only git repository (https://git-scm.com/docs/http-protocol). */
export const gitSkillsApi = {
  refs: fileEndpoint({
    ...forPrograms,
    method: 'GET',
    path: '/git/skills.git/info/refs',
    summary:
      'What a git repository of the skills that the caller may use contains: for git clients',
    isDownload: true,
    query: z.strictObject({
      /** Only `git-upload-pack`: the repository is read-only. */
      service: z.string().max(100).optional(),
    }),
  }),
  fetch: endpoint({
    ...forPrograms,
    method: 'POST',
    path: '/git/skills.git/git-upload-pack',
    summary: 'Commits of that repository: for git clients (application/x-git-upload-pack-request)',
    response: z.unknown(),
  }),
};
