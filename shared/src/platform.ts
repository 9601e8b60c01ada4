import { z } from 'zod';

/** `contents/config/platform.json`: how this installation behaves. Unknown fields are kept. */
export const platformConfigSchema = z.looseObject({
  /** Visitors without an account. Left out, `enabled` is true on loopback and false elsewhere. */
  anonymousAuth: z
    .looseObject({ enabled: z.boolean().optional(), defaultGroups: z.array(z.string()).optional() })
    .optional(),
  localAuth: z
    .looseObject({
      enabled: z.boolean().optional(),
      /** How long a session lasts. */
      sessionTimeoutMinutes: z.number().int().positive().optional(),
    })
    .optional(),
  /** The groups every signed-in user has besides their own. */
  authenticatedGroups: z.array(z.string()).optional(),
  /** Per user, or per address when anonymous; a minute, but for `streams`. 0 switches one off. */
  rateLimit: z
    .looseObject({
      requests: z.number().int().min(0).optional(),
      turns: z.number().int().min(0).optional(),
      failedLogins: z.number().int().min(0).optional(),
      /** Answers under way at once. */
      streams: z.number().int().min(0).optional(),
    })
    .optional(),
});
export type PlatformConfig = z.infer<typeof platformConfigSchema>;
