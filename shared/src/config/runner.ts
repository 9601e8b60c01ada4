import { z } from 'zod';
import { endpoint } from '../endpoint.ts';

/** Sandboxes for scripts of skills. */
export const runnerTiers = ['bubblewrap', 'container', 'remote'] as const;
export type RunnerTier = (typeof runnerTiers)[number];

/** Result of a synchronization: skills that a runner got, and those removed there. */
export const syncResultSchema = z.object({
  /** ISO 8601, UTC. */
  at: z.string(),
  synced: z.number().int(),
  removed: z.number().int(),
  errors: z.array(z.object({ skill: z.string().optional(), message: z.string() })),
});
export type SyncResult = z.infer<typeof syncResultSchema>;

export const runnerApi = {
  state: endpoint({
    method: 'GET',
    path: '/api/admin/runner',
    access: 'admin',
    summary: 'The script runner and its runtimes',
    response: z.object({
      /** SCRIPT_RUNNER is not `off`. */
      wanted: z.boolean(),
      /**
       * `settings.allowScriptExecution` of `config/skills.json` is not `true`: no script of any
       * skill runs.
       */
      refused: z.boolean(),
      /** Undefined without a runner. */
      tier: z.enum(runnerTiers).optional(),
      status: z.enum(['ready', 'away', 'none']),
      /** Versions by language. */
      runtimes: z.record(z.string(), z.string()),
      /** Why there is no runner although one is configured. */
      warnings: z.array(z.string()),
      /** For a runner with copies of skills: the last synchronization, automatic or manual. */
      keepsCopies: z.boolean(),
      lastSync: syncResultSchema.optional(),
      /** Progress of the running synchronization. */
      syncing: z.object({ done: z.number().int(), total: z.number().int() }).optional(),
    }),
  }),
  sync: endpoint({
    method: 'POST',
    path: '/api/admin/runner/sync',
    access: 'admin',
    summary: "Synchronizes a runner's copies of skills",
    response: syncResultSchema,
  }),
};
