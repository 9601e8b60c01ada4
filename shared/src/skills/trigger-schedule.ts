import { z } from 'zod';
import { itemIdSchema } from '../config/item-id.ts';

/** Maximum number of models in a run of trigger tests. */
export const maxTriggerModels = 5;

/** Ids of models. One that is named twice counts once: a run would ask it for the same answers again. */
export const triggerModelsSchema = z
  .array(itemIdSchema)
  .max(maxTriggerModels)
  .overwrite((ids) => [...new Set(ids)]);

/** `settings.triggerTests` of `skills.json`: scheduled runs of the trigger tests of all skills. */
export const triggerScheduleSchema = z.looseObject({
  enabled: z.boolean().default(false),
  /** Days from the start of a round to that of the next one. */
  days: z.number().int().min(1).max(365).default(7),
  /** Ids of models. */
  models: triggerModelsSchema.default([]),
  /** Input and output tokens of a round, after which it stops. */
  maxTokens: z.number().int().min(1000).max(1_000_000_000).default(1_000_000),
  /** Whether a model that no round has used yet is tested at once. */
  newModels: z.boolean().default(true),
});
export type TriggerSchedule = z.infer<typeof triggerScheduleSchema>;
