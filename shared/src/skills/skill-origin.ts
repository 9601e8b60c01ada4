import { z } from 'zod';
import { itemIdSchema } from '../config/item-id.ts';

/** Formats that can be converted to skills. */
export const originKinds = ['anythingllm-plugin', 'agent-flow', 'typed-skill', 'plugin'] as const;

/** Why a part of a source has no effect here. */
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

/** A part of a source that was not converted. */
export const leftPartSchema = z.object({ what: z.string(), why: z.enum(leftReasons) });
export type LeftPart = z.infer<typeof leftPartSchema>;

/** Source of a converted skill, and the result. */
export const skillOriginSchema = z.object({
  kind: z.enum(originKinds),
  /** Its own name, such as a hubId, or the kind of a typed skill. */
  name: z.string(),
  /** Converted parts of the source, and their equivalents here. */
  mapped: z.array(z.object({ from: z.string(), to: z.string() })),
  left: z.array(leftPartSchema),
  /** Its tool. */
  tool: z.string().optional(),
  /** Disabled until an admin enables it. */
  off: z.boolean(),
  /** Its plugin asks to be offered in every app. */
  wantsEverywhere: z.boolean().optional(),
});
export type SkillOrigin = z.infer<typeof skillOriginSchema>;

/** A model of a source, as a disabled entry that an admin may add. */
export const sourceModelSchema = z.object({
  id: itemIdSchema,
  name: z.string(),
  provider: z.string(),
  modelId: z.string(),
  apiKeyEnv: z.string().optional(),
  enabled: z.literal(false),
});
export type SourceModel = z.infer<typeof sourceModelSchema>;

/** A plugin with skills, a list of such plugins, or a list of models. */
export const sourcePluginSchema = z.object({
  name: z.string(),
  /** Its folder, '' for the root. */
  folder: z.string(),
  /** Number of its skills. */
  skills: z.number().int(),
  left: z.array(leftPartSchema),
  /** Models of a `models.json` that can be added here. */
  models: z.array(sourceModelSchema).optional(),
});
export type SourcePlugin = z.infer<typeof sourcePluginSchema>;
