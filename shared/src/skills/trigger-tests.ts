import { z } from 'zod';
import { turnErrorSchema } from '../chat/chat.ts';
import { itemIdSchema } from '../config/item-id.ts';
import { endpoint, streamEndpoint } from '../endpoint.ts';
import { listOf, pageQuery } from '../list.ts';
import { withoutNul } from '../names.ts';
import { triggerModelsSchema } from './trigger-schedule.ts';

/** Limits per skill. Each prompt costs a request to every model. */
export const maxTriggerPrompts = 200;
export const maxTriggerPromptLength = 8000;
/** Number of retained runs per skill. */
export const maxTriggerRuns = 20;

/** A user message, and whether the skill should be activated for it. */
export const triggerPromptSchema = z.strictObject({
  text: z
    .string()
    .max(maxTriggerPromptLength, `A prompt has at most ${maxTriggerPromptLength} characters.`)
    .transform((text) => withoutNul(text).trim())
    .refine((text) => text !== '', 'Write a prompt.'),
  expect: z.boolean(),
});
export type TriggerPrompt = z.infer<typeof triggerPromptSchema>;

const prompts = z
  .array(triggerPromptSchema)
  .max(maxTriggerPrompts, `A skill has at most ${maxTriggerPrompts} prompts.`);

/** The test prompts in a skill's folder. */
export const triggerPromptsSchema = z.object({
  /** The file in which they are saved, or would be. */
  path: z.string(),
  isSaved: z.boolean(),
  /** Prompts saved there. */
  prompts: z.array(triggerPromptSchema),
  /** Other prompts, from the author's files in `evals/`. */
  found: z.array(triggerPromptSchema),
  /** Unusable files and parts of them. */
  faults: z.array(z.object({ path: z.string(), message: z.string() })),
  /** Checksum of the skill's files, for `If-Match`. */
  checksum: z.string(),
});
export type TriggerPrompts = z.infer<typeof triggerPromptsSchema>;

/**
 * `left-alone`: correctly not activated. `failed`: the model could not be reached or did not
 * answer.
 */
export const triggerOutcomes = ['hit', 'miss', 'wrong-hit', 'left-alone', 'failed'] as const;

/** Whether a result is as expected. */
export function isRight(outcome: (typeof triggerOutcomes)[number]): boolean {
  return outcome === 'hit' || outcome === 'left-alone';
}

/** Result of one model for one prompt. */
export const triggerResultSchema = z.object({
  /** Index of the prompt. */
  prompt: z.number().int(),
  model: z.string(),
  outcome: z.enum(triggerOutcomes),
  /** Names of the activated skills, in order. */
  activated: z.array(z.string()),
  /** Whether the model activated them itself, or a router chose them. */
  via: z.enum(['model', 'router']).optional(),
  /** Whether it searched for skills. */
  searched: z.boolean(),
  /** Rank of the skill by words, from 1; omitted if no word matches. */
  rank: z.number().int().optional(),
  inputTokens: z.number().int(),
  outputTokens: z.number().int(),
  /** Whether tokens are estimates: the answer was cut off, or the model does not report them. */
  isEstimated: z.boolean(),
  /** Milliseconds. */
  ms: z.number().int(),
  error: turnErrorSchema.optional(),
});
export type TriggerResult = z.infer<typeof triggerResultSchema>;

/** Why a prompt failed, without the advice to ask an administrator, who is the reader here. */
export function describeFailure({ message, reason }: NonNullable<TriggerResult['error']>): string {
  const [what] = message.split(/(?<=[.!?])\s/);
  return reason === undefined ? message : `${what} (${reason})`;
}

/**
 * Summary of one model's results. Rates exclude failures and are omitted without a prompt of their
 * kind.
 */
export const triggerSummarySchema = z.object({
  model: z.string(),
  /** Not a language model: only the ranking by words was tested. */
  onlyRanking: z.boolean(),
  /** Answered prompts that should activate the skill, and those that did. */
  wanted: z.number().int(),
  hits: z.number().int(),
  hitRate: z.number().optional(),
  /** Answered prompts that should not, and those that did anyway. */
  unwanted: z.number().int(),
  wrongHits: z.number().int(),
  wrongHitRate: z.number().optional(),
  failed: z.number().int(),
  /** Averages per prompt. */
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
  /** Omitted: all skills were offered, without an app's prompt. */
  app: z.string().optional(),
  /** The description that was tested instead of the skill's. */
  description: z.string().optional(),
  /** The version that was tested; omitted for a skill without versions. */
  version: z.number().int().optional(),
  /** Started by the schedule; omitted if a person started it. */
  isScheduled: z.literal(true).optional(),
  /**
   * `stopped` by a user, a lost connection, the limit of tokens or a stop of the server: some results are missing.
   */
  ended: z.enum(['whole', 'stopped']),
  /** Number of prompts. */
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
    ...summary('Test prompts that should or should not activate a skill'),
    method: 'GET',
    path: '/api/admin/skills/:name/trigger-prompts',
    params: skillName,
    response: triggerPromptsSchema,
  }),
  savePrompts: endpoint({
    ...summary('Saves the test prompts in the folder of the skill'),
    method: 'PUT',
    path: '/api/admin/skills/:name/trigger-prompts',
    params: skillName,
    body: z.strictObject({ prompts }),
    response: triggerPromptsSchema,
  }),
  run: streamEndpoint({
    ...summary(
      'Runs test prompts against models as in a chat, and reports activations. Ends with the connection; results so far are stored',
    ),
    method: 'POST',
    path: '/api/admin/skills/:name/trigger-tests',
    params: skillName,
    body: z.strictObject({
      prompts: prompts.min(1),
      models: triggerModelsSchema.min(1),
      /** The app for the test; omitted: all enabled skills are offered. */
      app: itemIdSchema.optional(),
      /** Tested instead of the skill's description, in this run only. */
      description: z.string().trim().min(1).max(4000).optional(),
      /** Timeout per prompt, in seconds. */
      secondsPerPrompt: z.number().int().min(1).max(600).default(120),
    }),
    event: triggerEventSchema,
  }),
  runs: endpoint({
    ...summary('Recent runs of a skill, newest first'),
    method: 'GET',
    path: '/api/admin/skills/:name/trigger-tests',
    params: skillName,
    query: pageQuery,
    response: listOf(runHeadSchema),
  }),
  get: endpoint({
    ...summary('A run with all its results'),
    method: 'GET',
    path: '/api/admin/skills/:name/trigger-tests/:run',
    params: skillName.extend({ run: z.string().min(1).max(100) }),
    response: triggerRunSchema,
  }),
};

/** The last round of scheduled tests, and when the next one is due. */
const scheduleStateSchema = z.object({
  round: z
    .object({
      /** `new-models`: an extra round for models that no round had used. */
      kind: z.enum(['regular', 'new-models']),
      beganAt: z.string(),
      /** Omitted while it continues. */
      endedAt: z.string().optional(),
      models: z.array(z.string()),
      /** Number of skills that were tested, and of those that were not yet. */
      tested: z.number().int(),
      remaining: z.number().int(),
      /** Input and output. */
      tokens: z.number().int(),
      /** Whether the limit of tokens ended it. */
      isCapped: z.boolean(),
      /** Why a model could not be tested the last time. */
      problem: z.object({ model: z.string(), message: z.string(), at: z.string() }).optional(),
    })
    .optional(),
  /** ISO 8601; omitted without a round, and if the schedule is off. */
  nextAt: z.string().optional(),
});
export type TriggerScheduleState = z.infer<typeof scheduleStateSchema>;
export type TriggerRound = NonNullable<TriggerScheduleState['round']>;

export const triggerScheduleApi = {
  state: endpoint({
    ...summary('The last round of scheduled trigger tests'),
    method: 'GET',
    path: '/api/admin/trigger-schedule',
    response: scheduleStateSchema,
  }),
};
