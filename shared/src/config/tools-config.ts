import { z } from 'zod';

/** Whether a user is asked before a tool runs. */
export const toolConsents = ['never', 'ask'] as const;
export type ToolConsent = (typeof toolConsents)[number];

export const toolEntrySchema = z.looseObject({
  /** `false` takes it away from everybody. */
  enabled: z.boolean().optional(),
  /** In place of what its source says. */
  consent: z.enum(toolConsents).optional(),
  /** The digest of the tool as an admin has approved it: while it is that, nobody is asked. */
  approved: z.string().optional(),
});

/** `contents/config/tools.json`: what an admin decided on sources and tools. Unknown fields are kept. */
export const toolsConfigSchema = z.looseObject({
  /** By id of the source. */
  sources: z.record(z.string(), z.looseObject({ enabled: z.boolean().optional() })).optional(),
  /** By id: `<source>/<name>`. */
  tools: z.record(z.string(), toolEntrySchema).optional(),
});
/** The content of the file: also iHub's list of tools, each of which is read by itself. */
export const toolsFileSchema = toolsConfigSchema.or(z.array(z.unknown()));
export type ToolsConfig = z.infer<typeof toolsConfigSchema>;
