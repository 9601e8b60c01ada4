import { z } from 'zod';
import { turnErrorSchema } from '../chat/chat.ts';
import { itemIdSchema } from '../config/item-id.ts';
import { localizedSchema } from '../config/localized.ts';
import { endpoint, streamEndpoint } from '../endpoint.ts';
import { maxTriggerModels } from './trigger-schedule.ts';
import { triggerPromptSchema, triggerPromptsSchema, triggerResultSchema } from './trigger-tests.ts';

/** Number of retained tests of the drafts of a skill. */
export const maxDraftTests = 10;

const side = z.enum(['published', 'draft']);
export type TestedSide = z.infer<typeof side>;

/** A result of the published version or the draft. */
const testedResultSchema = triggerResultSchema.extend({
  side,
  /** Skills that were activated and on which the reader has no rights: their names are left out. */
  hidden: z.number().int(),
});
export type TestedResult = z.infer<typeof testedResultSchema>;

/** How a model did with the draft and with the published version. */
const comparisonSchema = z.object({
  model: z.string(),
  /** Not a language model: only the ranking by words was tested. */
  onlyRanking: z.boolean(),
  /** Right results with the draft. */
  draft: z.number().int(),
  /** Right results with the published version; omitted without one that models can activate. */
  published: z.number().int().optional(),
  /** Prompts that were compared: those that were answered with the published version or, without one, with the draft. */
  compared: z.number().int(),
});
export type DraftComparison = z.infer<typeof comparisonSchema>;

const runSchema = z.object({
  id: z.string(),
  at: z.string(),
  by: z.string(),
  ended: z.enum(['whole', 'stopped']),
  /** Number of the published version; omitted without one. */
  published: z.number().int().optional(),
  /** Number of prompts. */
  total: z.number().int(),
  models: z.array(comparisonSchema),
});
export type DraftTestHead = z.infer<typeof runSchema>;

const draftTestSchema = runSchema.extend({
  /** Whether neither the draft nor the published instructions were changed since. */
  isCurrent: z.boolean(),
  prompts: z.array(triggerPromptSchema),
  results: z.array(testedResultSchema),
});
export type DraftTest = z.infer<typeof draftTestSchema>;

/** The plan for a test of a draft. */
const planSchema = z.object({
  /** The prompts in the folder of the draft. */
  prompts: z.array(triggerPromptSchema),
  faults: triggerPromptsSchema.shape.faults,
  /** Number of the published version; omitted without one. */
  published: z.number().int().optional(),
  models: z.array(
    z.object({
      id: z.string(),
      name: localizedSchema,
      /** Whether the check before publication asks for it. */
      isWanted: z.boolean(),
      /** Whether the last test of the published version with it has all prompts. */
      isKnown: z.boolean(),
      /** Averages of a request in the last test; omitted without one. */
      usual: z
        .object({
          tokens: z.number(),
          /** Omitted without prices of the model. */
          cost: z.object({ amount: z.number(), currency: z.string() }).optional(),
        })
        .optional(),
    }),
  ),
  /** The newest test of the skill's drafts. */
  last: draftTestSchema.optional(),
});
export type DraftTestPlan = z.infer<typeof planSchema>;

/** Exactly one `end` or `error` is the last. */
export const draftTestEventSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('start'),
    /** Number of requests. */
    total: z.number().int(),
    /** Results of the published version that are known. */
    known: z.array(testedResultSchema),
  }),
  z.object({ type: z.literal('result'), result: testedResultSchema }),
  z.object({ type: z.literal('end'), run: runSchema }),
  z.object({ type: z.literal('error'), ...turnErrorSchema.shape }),
]);
export type DraftTestEvent = z.infer<typeof draftTestEventSchema>;

const access = 'admin' as const;
const params = z.strictObject({ skill: z.string().min(1).max(300) });
const path = '/api/skill-drafts/:skill/trigger-tests';

/** Trigger tests of a draft in place of the published version. */
export const draftTestsApi = {
  plan: endpoint({
    access,
    summary: 'Prompts, models and the last result of trigger tests of a draft',
    method: 'GET',
    path,
    params,
    response: planSchema,
  }),
  run: streamEndpoint({
    access,
    summary:
      'Runs the trigger tests of a draft, and compares them with the published version. Ends with the connection; results so far are stored',
    method: 'POST',
    path,
    params,
    body: z.strictObject({
      models: z.array(itemIdSchema).min(1).max(maxTriggerModels),
      /** Whether known results of the published version are used instead of new requests. */
      reuse: z.boolean().default(true),
    }),
    event: draftTestEventSchema,
  }),
};
