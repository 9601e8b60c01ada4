import { z } from 'zod';
import { turnErrorSchema } from '../chat/chat.ts';
import { itemIdSchema } from '../config/item-id.ts';
import { endpoint, streamEndpoint } from '../endpoint.ts';
import { listOf, pageQuery } from '../list.ts';
import { withoutNul } from '../names.ts';

/** Of one skill; each costs a request to every model. */
export const mostTriggerPrompts = 200;
export const longestTriggerPrompt = 8000;
export const mostTriggerModels = 5;
/** So many runs of a skill are kept. */
export const mostTriggerRuns = 20;

/** What somebody might write, and whether the skill should become active for it. */
export const triggerPromptSchema = z.strictObject({
  text: z
    .string()
    .max(longestTriggerPrompt, `A prompt has at most ${longestTriggerPrompt} characters.`)
    .transform((text) => withoutNul(text).trim())
    .refine((text) => text !== '', 'Write a prompt.'),
  expect: z.boolean(),
});
export type TriggerPrompt = z.infer<typeof triggerPromptSchema>;

const prompts = z
  .array(triggerPromptSchema)
  .max(mostTriggerPrompts, `A skill has at most ${mostTriggerPrompts} prompts.`);

/** The prompts of a skill as they are in its folder. */
export const triggerPromptsSchema = z.object({
  /** The file in which they are saved, or would be. */
  path: z.string(),
  isSaved: z.boolean(),
  /** Those saved there. */
  prompts: z.array(triggerPromptSchema),
  /** Others that its author wrote in files of `evals/`. */
  found: z.array(triggerPromptSchema),
  /** Files, and parts of them, that are not used. */
  faults: z.array(z.object({ path: z.string(), message: z.string() })),
  /** Of the skill's files, for `If-Match`. */
  checksum: z.string(),
});
export type TriggerPrompts = z.infer<typeof triggerPromptsSchema>;

/** `left-alone`: rightly not active. `failed`: the model could not be asked, or did not answer. */
export const triggerOutcomes = ['hit', 'miss', 'wrong-hit', 'left-alone', 'failed'] as const;

/** What one model did with one prompt. */
export const triggerResultSchema = z.object({
  /** Which of the prompts, from 0. */
  prompt: z.number().int(),
  model: z.string(),
  outcome: z.enum(triggerOutcomes),
  /** Names of the skills that it activated, the first one first. */
  activated: z.array(z.string()),
  /** Whether it picked them itself, or they were chosen for it in a request of its own. */
  via: z.enum(['model', 'router']).optional(),
  /** Whether it searched for skills. */
  searched: z.boolean(),
  /** Where the ranking by words has the skill, from 1; none where no word fits. */
  rank: z.number().int().optional(),
  inputTokens: z.number().int(),
  outputTokens: z.number().int(),
  /** Tokens are estimates: the answer was cut off, or the model does not report them. */
  isEstimated: z.boolean(),
  /** Milliseconds. */
  ms: z.number().int(),
  error: turnErrorSchema.optional(),
});
export type TriggerResult = z.infer<typeof triggerResultSchema>;

/** Says why a prompt failed, without the advice to ask an administrator: that is who reads it. */
export function whatFailed({ message, reason }: NonNullable<TriggerResult['error']>): string {
  const [what] = message.split(/(?<=[.!?])\s/);
  return reason === undefined ? message : `${what} (${reason})`;
}

/** All results of one model. Rates leave out what failed; there is none without a prompt of its kind. */
export const triggerSummarySchema = z.object({
  model: z.string(),
  /** It is no language model: only the ranking by words was tested. */
  onlyRanking: z.boolean(),
  /** Prompts that should activate the skill and were answered, and those that did. */
  wanted: z.number().int(),
  hits: z.number().int(),
  hitRate: z.number().optional(),
  /** Prompts that should not, and those that did all the same. */
  unwanted: z.number().int(),
  wrongHits: z.number().int(),
  wrongHitRate: z.number().optional(),
  failed: z.number().int(),
  /** Means of a prompt. */
  inputTokens: z.number(),
  outputTokens: z.number(),
  /** Whether some of these tokens are estimates. */
  isEstimated: z.boolean().optional(),
  ms: z.number(),
});
export type TriggerSummary = z.infer<typeof triggerSummarySchema>;

const runHeadSchema = z.object({
  id: z.string(),
  at: z.string(),
  by: z.string(),
  /** Without one, all skills were offered and nothing else was said. */
  app: z.string().optional(),
  /** The description that was tried in place of the skill's. */
  description: z.string().optional(),
  /** `stopped` by somebody, or because the connection ended: some results are missing. */
  ended: z.enum(['whole', 'stopped']),
  /** How many prompts. */
  total: z.number().int(),
  summaries: z.array(triggerSummarySchema),
});
export type TriggerRunHead = z.infer<typeof runHeadSchema>;

export const triggerRunSchema = runHeadSchema.extend({
  prompts: z.array(triggerPromptSchema),
  results: z.array(triggerResultSchema),
});
export type TriggerRun = z.infer<typeof triggerRunSchema>;

/** Exactly one `end` or `error` is the last. */
export const triggerEventSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('start'), total: z.number().int() }),
  z.object({ type: z.literal('result'), result: triggerResultSchema }),
  z.object({ type: z.literal('end'), run: runHeadSchema }),
  z.object({ type: z.literal('error'), ...turnErrorSchema.shape }),
]);
export type TriggerEvent = z.infer<typeof triggerEventSchema>;

const skillName = z.strictObject({ name: z.string().min(1).max(300) });
const summary = (text: string) => ({ access: 'admin' as const, summary: text });

export const triggerTestsApi = {
  prompts: endpoint({
    ...summary('Prompts that should, or should not, activate a skill'),
    method: 'GET',
    path: '/api/admin/skills/:name/trigger-prompts',
    params: skillName,
    response: triggerPromptsSchema,
  }),
  savePrompts: endpoint({
    ...summary('Writes these prompts into the folder of the skill'),
    method: 'PUT',
    path: '/api/admin/skills/:name/trigger-prompts',
    params: skillName,
    body: z.strictObject({ prompts }),
    response: triggerPromptsSchema,
  }),
  run: streamEndpoint({
    ...summary(
      'Puts prompts to models as the product would, and says what became active. It ends with the connection; what came out is kept',
    ),
    method: 'POST',
    path: '/api/admin/skills/:name/trigger-tests',
    params: skillName,
    body: z.strictObject({
      prompts: prompts.min(1),
      models: z.array(itemIdSchema).min(1).max(mostTriggerModels),
      /** The app in which it is tried; without one, all skills that are on are offered. */
      app: itemIdSchema.optional(),
      /** Tried in place of the skill's description, for this run only. */
      description: z.string().trim().min(1).max(4000).optional(),
      /** After which a model that has not answered has failed. */
      secondsPerPrompt: z.number().int().min(1).max(600).default(120),
    }),
    event: triggerEventSchema,
  }),
  runs: endpoint({
    ...summary('The last runs of a skill, the newest first'),
    method: 'GET',
    path: '/api/admin/skills/:name/trigger-tests',
    params: skillName,
    query: pageQuery,
    response: listOf(runHeadSchema),
  }),
  get: endpoint({
    ...summary('One run with all its results'),
    method: 'GET',
    path: '/api/admin/skills/:name/trigger-tests/:run',
    params: skillName.extend({ run: z.string().min(1).max(100) }),
    response: triggerRunSchema,
  }),
};
