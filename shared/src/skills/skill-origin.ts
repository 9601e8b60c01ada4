import { z } from 'zod';
import { itemIdSchema } from '../config/item-id.ts';

/** What others call skills, and can be imported. */
export const originKinds = ['anythingllm-plugin', 'agent-flow', 'typed-skill', 'plugin'] as const;

/** Why something of a source has no effect here. */
export const leftReasons = [
  'no-effect',
  'needs-runner',
  'needs-database',
  'mcp-server',
  'sub-agent',
  'hook',
  'elsewhere',
  'model',
  'built-in-here',
  'built-in-there',
] as const;

/** A part of a source that was not taken over. */
export const leftPartSchema = z.object({ what: z.string(), why: z.enum(leftReasons) });
export type LeftPart = z.infer<typeof leftPartSchema>;

/** Where a skill was made from, and what became of it. */
export const skillOriginSchema = z.object({
  kind: z.enum(originKinds),
  /** As it calls itself there, such as a hubId, or the kind of a typed skill. */
  name: z.string(),
  /** What was taken over: a part of the source, and what it is here. */
  mapped: z.array(z.object({ from: z.string(), to: z.string() })),
  left: z.array(leftPartSchema),
  /** The tool that it brings. */
  tool: z.string().optional(),
  /** It is switched off until an admin switches it on. */
  off: z.boolean(),
  /** Its plugin wants it to be offered in every app. */
  wantsEverywhere: z.boolean().optional(),
});
export type SkillOrigin = z.infer<typeof skillOriginSchema>;

/** A model that a source names, as an entry of ours that an admin may add; switched off. */
export const sourceModelSchema = z.object({
  id: itemIdSchema,
  name: z.string(),
  provider: z.string(),
  modelId: z.string(),
  apiKeyEnv: z.string().optional(),
  enabled: z.literal(false),
});
export type SourceModel = z.infer<typeof sourceModelSchema>;

/** A plugin that brings skills, or a list of such, or of models. */
export const sourcePluginSchema = z.object({
  name: z.string(),
  /** Its folder, '' for the root. */
  folder: z.string(),
  /** How many skills it brings. */
  skills: z.number().int(),
  left: z.array(leftPartSchema),
  /** Those of a `models.json` that can be added here. */
  models: z.array(sourceModelSchema).optional(),
});
export type SourcePlugin = z.infer<typeof sourcePluginSchema>;
