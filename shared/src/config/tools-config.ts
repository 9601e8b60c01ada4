import { z } from 'zod';

/** Whether a user is asked before a tool runs. */
export const toolConsents = ['never', 'ask'] as const;
export type ToolConsent = (typeof toolConsents)[number];

export const toolEntrySchema = z.looseObject({
  /** `false` disables it for everyone. */
  enabled: z.boolean().optional(),
  /** Overrides the default of its source. */
  consent: z.enum(toolConsents).optional(),
  /** Digest that an admin has approved: while it is unchanged, users are not asked. */
  approved: z.string().optional(),
});

/**
 * `contents/config/tools.json`: admin settings of sources and tools. Unknown fields are preserved.
 */
export const toolsConfigSchema = z.looseObject({
  /** By id of the source. */
  sources: z.record(z.string(), z.looseObject({ enabled: z.boolean().optional() })).optional(),
  /** By id: `<source>/<name>`. */
  tools: z.record(z.string(), toolEntrySchema).optional(),
});
/** The file's content. Also accepts iHub's list of tools, each of which is parsed separately. */
export const toolsFileSchema = toolsConfigSchema.or(z.array(z.unknown()));
export type ToolsConfig = z.infer<typeof toolsConfigSchema>;
