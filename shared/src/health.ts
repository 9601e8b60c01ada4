import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { listOf, pageQuery } from './list.ts';

/** A configuration file that could not be used; the last good state stays in force. */
export const contentFaultSchema = z.object({
  path: z.string(),
  field: z.string().optional(),
  message: z.string(),
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
    summary: 'Whether the server can serve: skills and database',
    response: z.object({
      status: z.literal('ready'),
      skills: z.object({
        loaded: z.number().int(),
        disabled: z.number().int(),
        broken: z.number().int(),
      }),
      database: z.object({ kind: z.enum(['sqlite', 'postgres']), status: z.literal('ok') }),
      /** How many configuration files are broken; `GET /api/admin/faults` names them. */
      faults: z.number().int(),
      /** Of the backups by the clock, where there are any; `GET /api/admin/backup` says why they fail. */
      backup: z
        .object({ status: z.enum(['ok', 'failed']), lastAt: z.string().optional() })
        .optional(),
    }),
  }),
  faults: endpoint({
    method: 'GET',
    path: '/api/admin/faults',
    access: 'admin',
    summary: 'Configuration files that could not be used, and why',
    query: pageQuery,
    response: listOf(contentFaultSchema),
  }),
};
