import { z } from 'zod';
import { endpoint, fileEndpoint } from '../endpoint.ts';
import { listOf, pageQuery } from '../list.ts';
import { runnerTiers } from './runner.ts';

/** What is wrong in a configuration file: its last good state stays active, unless `isUsed`. */
export const contentFaultSchema = z.object({
  path: z.string(),
  field: z.string().optional(),
  message: z.string(),
  /** Only this field has no effect, or another: the file is used all the same. */
  isUsed: z.boolean().optional(),
});
export type ContentFault = z.infer<typeof contentFaultSchema>;

export const healthApi = {
  health: endpoint({
    method: 'GET',
    path: '/api/health',
    access: 'public',
    summary: 'Whether the process is alive',
    response: z.object({ status: z.literal('ok') }),
  }),
  ready: endpoint({
    method: 'GET',
    path: '/api/ready',
    access: 'public',
    summary:
      'Whether the server can serve: skills, writable database and data folder, first account',
    response: z.object({
      status: z.literal('ready'),
      skills: z.object({
        loaded: z.number().int(),
        disabled: z.number().int(),
        broken: z.number().int(),
        /** Folders that were not looked into: too deep, too many, or not readable; `GET /api/admin/faults` says where. */
        foldersLeftOut: z.number().int(),
      }),
      /** What runs scripts of skills, where that is wanted; `none`: nothing that works was found. */
      scripts: z
        .object({ tier: z.enum([...runnerTiers, 'none']), status: z.enum(['ready', 'away']) })
        .optional(),
      database: z.object({ kind: z.enum(['sqlite', 'postgres']), status: z.literal('ok') }),
      /** How much of the configuration is not used, wholly or in part: `GET /api/admin/faults` names it. */
      faults: z.number().int(),
      /** The state of scheduled backups, if any. `pending`: none has been made yet. `GET /api/admin/backup` says why they fail. */
      backup: z
        .object({ status: z.enum(['ok', 'pending', 'failed']), lastAt: z.string().optional() })
        .optional(),
    }),
  }),
  metrics: fileEndpoint({
    method: 'GET',
    path: '/metrics',
    access: 'admin',
    summary: 'What was counted, as Prometheus reads it',
    isDownload: true,
  }),
  faults: endpoint({
    method: 'GET',
    path: '/api/admin/faults',
    access: 'admin',
    summary: 'Configuration files that could not be used, wholly or in part, and why',
    query: pageQuery,
    response: listOf(contentFaultSchema),
  }),
};
