import { z } from 'zod';
import { endpoint } from '../endpoint.ts';

/** How scripts of skills are kept apart from everything else. */
export const runnerTiers = ['bubblewrap', 'container', 'remote'] as const;
export type RunnerTier = (typeof runnerTiers)[number];

/** What a runner that keeps copies of skills was sent, and what was taken away there. */
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
    summary: 'What runs scripts of skills, and what it can run',
    response: z.object({
      /** SCRIPT_RUNNER is not `off`. */
      wanted: z.boolean(),
      /** `settings.allowScriptExecution` of `config/skills.json` is not `true`: no script of any skill runs. */
      refused: z.boolean(),
      /** Undefined where nothing runs scripts. */
      tier: z.enum(runnerTiers).optional(),
      status: z.enum(['ready', 'away', 'none']),
      /** Versions by language. */
      runtimes: z.record(z.string(), z.string()),
      /** Why there is none although one is wanted. */
      warnings: z.array(z.string()),
      /** Of a runner that keeps copies: the last synchronisation, by itself or by hand. */
      keepsCopies: z.boolean(),
      lastSync: syncResultSchema.optional(),
      /** How many skills of how many a synchronisation that runs now has been through. */
      syncing: z.object({ done: z.number().int(), total: z.number().int() }).optional(),
    }),
  }),
  sync: endpoint({
    method: 'POST',
    path: '/api/admin/runner/sync',
    access: 'admin',
    summary: 'Makes the copies of skills that a runner keeps as the skills are now',
    response: syncResultSchema,
  }),
};
