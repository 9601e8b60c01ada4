import { z } from 'zod';
import { endpoint, fileEndpoint } from '../endpoint.ts';
import { listOf, pageQuery } from '../list.ts';
import { runnerTiers } from './runner.ts';

/** An issue in a configuration file: its last valid state stays active, unless `isUsed`. */
export const contentFaultSchema = z.object({
  path: z.string(),
  field: z.string().optional(),
  message: z.string(),
  /** Only this field has no effect: the rest of the file is used. */
  isUsed: z.boolean().optional(),
});
export type ContentIssue = z.infer<typeof contentFaultSchema>;

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
        /**
         * Number of folders that were skipped: too deep, too many, or not readable; `GET
         * /api/admin/faults` lists them.
         */
        foldersLeftOut: z.number().int(),
      }),
      /** The sandbox for scripts, if enabled; `none`: no working one was found. */
      scripts: z
        .object({ tier: z.enum([...runnerTiers, 'none']), status: z.enum(['ready', 'away']) })
        .optional(),
      database: z.object({ kind: z.enum(['sqlite', 'postgres']), status: z.literal('ok') }),
      /** Number of configuration issues: `GET /api/admin/faults` lists them. */
      faults: z.number().int(),
      /**
       * State of scheduled backups, if any. `pending`: none has been made yet. `GET
       * /api/admin/backup` says why they fail.
       */
      backup: z
        .object({ status: z.enum(['ok', 'pending', 'failed']), lastAt: z.string().optional() })
        .optional(),
    }),
  }),
  metrics: fileEndpoint({
    method: 'GET',
    path: '/metrics',
    access: 'admin',
    summary: 'Metrics in the format of Prometheus',
    isDownload: true,
  }),
  faults: endpoint({
    method: 'GET',
    path: '/api/admin/faults',
    access: 'admin',
    summary: 'Issues in configuration files',
    query: pageQuery,
    response: listOf(contentFaultSchema),
  }),
};
