import { z } from 'zod';
import { activationVia, endReasons } from '../chat/chat.ts';
import { feedbackSchema } from '../chat/feedback.ts';
import { endpoint, fileEndpoint } from '../endpoint.ts';

const count = z.number().int();

/** A day in UTC, such as `2026-05-04`. */
const day = z.iso.date().refine((date) => date >= '2000-01-01', 'A day from the year 2000 on.');
const id = z.string().min(1).max(200);

const reportQuery = z
  .strictObject({
    /** Both days belong to it; the last twelve weeks when left out. */
    from: day.optional(),
    to: day.optional(),
    app: id.optional(),
    group: id.optional(),
    model: id.optional(),
  })
  .refine(({ from, to }) => from === undefined || to === undefined || from <= to, {
    message: 'The first day is after the last one.',
    path: ['from'],
  });
export type ReportQuery = z.output<typeof reportQuery>;

const tokens = { inputTokens: count, cachedTokens: count, outputTokens: count };

/** Money by currency (ISO 4217), as far as the models' files say what tokens cost. */
const costs = z.array(z.object({ currency: z.string(), amount: z.number() }));
export type Costs = z.infer<typeof costs>;

const useSchema = z.object({
  conversations: count,
  /** Of these, those in which a skill was active. */
  conversationsWithSkill: count,
  answers: count,
  answersWithSkill: count,
  ...tokens,
});
export type Use = z.infer<typeof useSchema>;

const thumbsSchema = z.object({ up: count, down: count });
export type Thumbs = z.infer<typeof thumbsSchema>;

const namedUse = useSchema.extend({ id: z.string() });
export type NamedUse = z.infer<typeof namedUse>;

const byVia = z.record(z.enum(activationVia), count);
const byReason = z.record(z.enum(endReasons), count);

export const skillUseSchema = z.object({
  name: z.string(),
  /** Whether there still is such a skill. */
  exists: z.boolean(),
  /** In which it was active. */
  conversations: count,
  answers: count,
  activations: byVia,
  ended: byReason,
  /** How often it was asked for in vain: it was not available, or too many were active. */
  refused: count,
  limited: count,
  /** Of the answers in which it was active; of an answer with several skills each has all. */
  ...tokens,
  costs,
  /** Of its own instructions, where they came in. */
  instructionTokens: count,
  thumbs: thumbsSchema,
});
export type SkillUse = z.infer<typeof skillUseSchema>;

/** As many skills are reported: those in most answers. */
export const mostSkillsReported = 10_000;
/** As many that were never used are named. */
export const mostNeverUsed = 5000;
/** As many apps, groups and models are reported. */
export const mostNamedUses = 500;

export const skillReportSchema = z.object({
  /** How many days numbers are kept; 0: there are none. */
  days: count,
  /** When the oldest turn began that is counted; undefined before the first. */
  since: z.string().optional(),
  from: z.string(),
  to: z.string(),
  totals: useSchema.extend({
    /** Conversations in apps that offer skills: the base of the share with a skill. */
    conversationsOffered: count,
    activations: byVia,
    refused: count,
    limited: count,
    /** Answers in which skills were searched, and those in which a search found none. */
    searched: count,
    foundNothing: count,
    costs,
  }),
  /** Monday by Monday, also those without use. */
  weeks: z.array(useSchema.extend({ week: z.string() })),
  apps: z.array(namedUse),
  /** Somebody in several groups counts in each. */
  groups: z.array(namedUse),
  models: z.array(namedUse),
  skills: z.array(skillUseSchema),
  thumbs: z.object({ withSkill: thumbsSchema, withoutSkill: thumbsSchema }),
  /** Skills that are on and reach somebody, but were in no answer. */
  neverUsed: z.object({ names: z.array(z.string()), total: count }),
});
export type SkillReport = z.infer<typeof skillReportSchema>;

/** As many reasons are read at once, the newest. */
export const mostReasons = 200;

const reasonSchema = z.object({
  at: z.string(),
  ...feedbackSchema.required().shape,
  app: z.string(),
  /** Names of those that were active in the answer. */
  skills: z.array(z.string()),
});
export type Reason = z.infer<typeof reasonSchema>;

export const analyticsApi = {
  skills: endpoint({
    method: 'GET',
    path: '/api/admin/analytics/skills',
    access: 'admin',
    summary: 'How skills are used: in numbers, without any text of a conversation',
    query: reportQuery,
    response: skillReportSchema,
  }),
  skillsCsv: fileEndpoint({
    method: 'GET',
    path: '/api/admin/analytics/skills.csv',
    access: 'admin',
    summary: 'The same numbers as a table',
    query: reportQuery,
    isDownload: true,
  }),
  reasons: endpoint({
    method: 'GET',
    path: '/api/admin/analytics/reasons',
    access: 'admin',
    summary: 'What people wrote to their thumbs, the newest first',
    query: reportQuery,
    response: z.object({ items: z.array(reasonSchema), total: count }),
  }),
};
