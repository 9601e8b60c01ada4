import { z } from 'zod';
import { endpoint, forChat } from '../endpoint.ts';
import { finishReasons, fittingCodes } from './chat.ts';
import { messageStatuses } from './conversations.ts';

/** Accepts upper and lower case; stored in lower case. */
const id = z.uuid().toLowerCase();
const count = z.number().int();

/** Tokens as counted by the provider, and their cost at the prices of that time, if known. */
export const traceUsageSchema = z.object({
  inputTokens: count,
  /** Part of the input that came from the provider's prompt cache; omitted if not reported. */
  cachedTokens: count.optional(),
  /** Part of the input that was written to the cache. */
  cacheWriteTokens: count.optional(),
  outputTokens: count,
  cost: z.number().optional(),
  /** ISO 4217, with `cost`. */
  currency: z.string().optional(),
});
export type TraceUsage = z.infer<typeof traceUsageSchema>;

/** Purpose of a request: the answer, a choice of skills, or a summary of omitted messages. */
export const tracePurposes = ['answer', 'router', 'summary', 'tool'] as const;

/**
 * A part of the system prompt: from the app, the catalogue, the skill instructions, or all of it.
 */
export const traceBlockKinds = ['app', 'catalogue', 'skills', 'instruction'] as const;

const blockSchema = z.object({
  kind: z.enum(traceBlockKinds),
  text: z.string(),
  /** An estimate. */
  tokens: count,
});

/**
 * How skills were listed: `all` in full; `shortened` or only `names`, to fit; the `ranked` best;
 * none, with `search` or the catalogue `off`; the candidates of a `router`; or `none`.
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
  /** Token budget. */
  budget: count.optional(),
  /** Skills that the model was offered, in order. */
  offered: names,
  /** Skills listed without their full description. */
  shortened: names,
  /** Further skills, suggested together with messages. */
  named: names,
  /** Accessible skills that were not listed: the first of them. */
  leftOut: names,
  /** Skills that their authors reserve for users: the first of them. */
  userOnly: names,
  /** Totals of each. */
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
  /** Calls of the model. */
  toolCalls: z.array(z.object({ name: z.string(), input: z.unknown() })).optional(),
  /** The tool whose result it is. */
  name: z.string().optional(),
  error: z.boolean().optional(),
  /** Number of pictures in it. */
  images: count.optional(),
  /** Its text is withheld, because it reveals a skill that is no longer accessible. */
  withheld: z.boolean().optional(),
});
export type TraceMessage = z.infer<typeof traceMessageSchema>;

const traceCallSchema = z.object({
  name: z.string(),
  input: z.unknown(),
  startedAt: z.string(),
  ms: count,
  /** Size of the result. */
  bytes: count,
  error: z.boolean(),
  summary: z.string(),
});

const traceRoundSchema = z.object({
  purpose: z.enum(tracePurposes),
  /** Our id of the model. */
  model: z.string(),
  /** ISO 8601, UTC. */
  startedAt: z.string(),
  ms: count,
  /** Time to the first text, reasoning or call. */
  firstTokenMs: count.optional(),
  system: z.array(blockSchema),
  catalogue: catalogueSchema,
  /** Ids of active skills. */
  activeSkills: names,
  /** Numbers of their versions, as far as they are known. */
  versions: z.record(z.string(), count),
  tools: z.array(z.object({ name: z.string(), description: z.string(), parameters: z.unknown() })),
  /** Number of messages repeated from earlier requests. */
  earlier: count,
  /** Messages that are new in this request. */
  added: z.array(traceMessageSchema),
  /** How it was fitted into the context window. */
  notices: z.array(z.enum(fittingCodes)),
  /** The model's output, if it is not the answer itself. */
  text: z.string().optional(),
  /** Tool calls that the model requested. */
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
  /** Ids of the user's groups. */
  groups: names,
  /** Names of skills that were disabled in the conversation. */
  skillsOff: names,
  /** Custom instructions as sent; omitted if there are none. */
  instructions: z.string().optional(),
  rounds: z.array(traceRoundSchema),
  /** Sum over all rounds; costs only if all have the same currency. */
  usage: traceUsageSchema,
});
export type Trace = z.infer<typeof traceSchema>;

/** Outcome for a skill in one answer. */
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
  /** The deciding rule, such as `skill-not-granted` or `budget`. */
  rule: z.string().optional(),
  /** Position in the list that the model got, from 1. */
  rank: count.optional(),
  /** How it was activated. */
  via: z.string().optional(),
  /** Number of the version that was used. */
  version: count.optional(),
  /** The model's searches in this answer, and the rank of the skill in the results. */
  searches: z
    .array(z.object({ query: z.string(), found: count, rank: count.optional() }))
    .optional(),
});
export type SkillOutcome = z.infer<typeof skillOutcomeSchema>;

/** Why there is no trace: recording is off, it has expired, or none was recorded. */
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
    summary: 'Why a skill was or was not used for an answer',
    params: params.extend({ name: z.string().min(1).max(300) }),
    response: skillOutcomeSchema,
  }),
};
