import { z } from 'zod';
import { endpoint, forChat } from '../endpoint.ts';
import { finishReasons, fittingCodes } from './chat.ts';
import { messageStatuses } from './conversations.ts';

/** In either spelling; we keep it in small letters. */
const id = z.uuid().toLowerCase();
const count = z.number().int();

/** Tokens as the provider counted them, and their cost at the prices of then, where there were any. */
export const traceUsageSchema = z.object({
  inputTokens: count,
  /** Of the input, what came from the provider's prompt cache; left out where it does not say. */
  cachedTokens: count.optional(),
  /** Of the input, what was put there. */
  cacheWriteTokens: count.optional(),
  outputTokens: count,
  cost: z.number().optional(),
  /** ISO 4217, with `cost`. */
  currency: z.string().optional(),
});
export type TraceUsage = z.infer<typeof traceUsageSchema>;

/** What a request of the turn was for: the answer, a choice of skills, a summary of what has no room. */
export const tracePurposes = ['answer', 'router', 'summary', 'tool'] as const;

/** A part of the system prompt: of the app, the catalogue, how skills are read; or all of it. */
export const traceBlockKinds = ['app', 'catalogue', 'skills', 'instruction'] as const;

const blockSchema = z.object({
  kind: z.enum(traceBlockKinds),
  text: z.string(),
  /** An estimate. */
  tokens: count,
});

/**
 * How skills were listed: `all` whole; `shortened` or by their `names`, as there was no room; the `ranked`
 * ones; none, to be found by `search`, or with the catalogue `off`; the candidates of a `router`; `none`.
 */
export const catalogueModes = [
  'all',
  'shortened',
  'names',
  'ranked',
  'search',
  'off',
  'router',
  'none',
] as const;

const names = z.array(z.string());

const catalogueSchema = z.object({
  mode: z.enum(catalogueModes),
  /** Tokens that it may have. */
  budget: count.optional(),
  /** Skills that the model read of, in its order. */
  offered: names,
  /** Of these, those without their whole description. */
  shortened: names,
  /** Skills beside it that messages of the conversation brought up, and that came with these. */
  named: names,
  /** Skills that could be seen and were not listed: the first of them. */
  leftOut: names,
  /** Skills that only users pick, as their authors want it: the first of them. */
  userOnly: names,
  /** How many of each there were. */
  totals: z.object({
    offered: count,
    shortened: count,
    named: count,
    leftOut: count,
    userOnly: count,
  }),
});
export type TraceCatalogue = z.infer<typeof catalogueSchema>;

const traceMessageSchema = z.object({
  role: z.enum(['user', 'assistant', 'tool']),
  content: z.string(),
  /** Of the model. */
  toolCalls: z.array(z.object({ name: z.string(), input: z.unknown() })).optional(),
  /** The tool whose result it is. */
  name: z.string().optional(),
  error: z.boolean().optional(),
  /** How many pictures came with it. */
  images: count.optional(),
  /** Its text tells of a skill that may no longer be seen. */
  withheld: z.boolean().optional(),
});
export type TraceMessage = z.infer<typeof traceMessageSchema>;

const traceCallSchema = z.object({
  name: z.string(),
  input: z.unknown(),
  startedAt: z.string(),
  ms: count,
  /** Of what it gave. */
  bytes: count,
  error: z.boolean(),
  summary: z.string(),
});

const traceRoundSchema = z.object({
  purpose: z.enum(tracePurposes),
  /** Our id of it. */
  model: z.string(),
  /** ISO 8601, UTC. */
  startedAt: z.string(),
  ms: count,
  /** Until its first word, thought or call. */
  firstTokenMs: count.optional(),
  system: z.array(blockSchema),
  catalogue: catalogueSchema,
  /** Ids of the skills that were active. */
  activeSkills: names,
  tools: z.array(z.object({ name: z.string(), description: z.string(), parameters: z.unknown() })),
  /** Messages that it repeats from requests before. */
  earlier: count,
  /** What it has that the request before had not. */
  added: z.array(traceMessageSchema),
  /** What was taken out before, to make room. */
  notices: z.array(z.enum(fittingCodes)),
  /** What the model wrote, where that is not the answer itself. */
  text: z.string().optional(),
  /** Calls of tools that it asked for. */
  calls: z.array(traceCallSchema),
  usage: traceUsageSchema.optional(),
  stop: z.enum(['stop', 'length', 'tool-calls']).optional(),
  /** Why it failed. */
  error: z.object({ code: z.string() }).optional(),
});
export type TraceRound = z.infer<typeof traceRoundSchema>;

export const traceSchema = z.object({
  messageId: id,
  conversationId: id,
  app: z.string(),
  model: z.string(),
  startedAt: z.string(),
  ms: count,
  status: z.enum(messageStatuses),
  finishReason: z.enum(finishReasons).optional(),
  error: z.object({ code: z.string() }).optional(),
  /** Ids of the groups of whoever asked. */
  groups: names,
  /** Names of skills that were switched off in the conversation. */
  skillsOff: names,
  /** What the user wanted of models in all conversations, as these requests had it; left out for nothing. */
  instructions: z.string().optional(),
  rounds: z.array(traceRoundSchema),
  /** Of all rounds; costs only where all have the same currency. */
  usage: traceUsageSchema,
});
export type Trace = z.infer<typeof traceSchema>;

/** What became of a skill in one answer. */
export const skillOutcomes = [
  'not-visible',
  'left-out',
  'shortened',
  'not-chosen',
  'refused',
  'activated',
] as const;

const skillOutcomeSchema = z.object({
  outcome: z.enum(skillOutcomes),
  /** What decided it, such as `skill-not-granted` or `budget`. */
  rule: z.string().optional(),
  /** Where it stood in what the model read, from 1. */
  rank: count.optional(),
  /** How it became active. */
  via: z.string().optional(),
  /** What the model searched for in this answer, and where the skill was in what was found. */
  searches: z
    .array(z.object({ query: z.string(), found: count, rank: count.optional() }))
    .optional(),
});
export type SkillOutcome = z.infer<typeof skillOutcomeSchema>;

/** Why there is no trace: none are kept, it was kept for so long only, or none was made. */
export const traceMissing = ['trace-off', 'trace-expired', 'trace-none'] as const;

const params = z.strictObject({ id });

export const tracesApi = {
  get: endpoint({
    method: 'GET',
    path: '/api/messages/:id/trace',
    ...forChat,
    summary:
      'What the model saw for an answer: for admins, and for its owner where the app shows it',
    params,
    response: traceSchema,
  }),
  skill: endpoint({
    method: 'GET',
    path: '/api/messages/:id/trace/skills/:name',
    ...forChat,
    summary: 'Why a skill was used for an answer, or was not',
    params: params.extend({ name: z.string().min(1).max(300) }),
    response: skillOutcomeSchema,
  }),
};
