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
    /** Both days are inclusive; the default is the last twelve weeks. */
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

/** Costs by currency (ISO 4217), as far as prices are configured. */
const costs = z.array(z.object({ currency: z.string(), amount: z.number() }));
export type Costs = z.infer<typeof costs>;

const useSchema = z.object({
  conversations: count,
  /** Conversations with an active skill. */
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
  /** Whether the skill still exists. */
  exists: z.boolean(),
  /** Conversations in which it was active. */
  conversations: count,
  answers: count,
  activations: byVia,
  ended: byReason,
  /** Denied activations: not available, or too many were active. */
  refused: count,
  limited: count,
  /**
   * Tokens of the answers in which it was active; an answer with several skills counts fully for
   * each.
   */
  ...tokens,
  costs,
  /** Tokens of its own instructions. */
  instructionTokens: count,
  thumbs: thumbsSchema,
});
export type SkillUse = z.infer<typeof skillUseSchema>;

/** Maximum number of skills in a report: those with the most answers. */
export const maxSkillsReported = 10_000;
/** Maximum number of unused skills that are listed. */
export const maxNeverUsed = 5000;
/** Maximum number of apps, groups and models in a report. */
export const maxNamedUses = 500;

export const skillReportSchema = z.object({
  /** Retention in days; 0: nothing is recorded. */
  days: count,
  /** Start of the oldest recorded turn; undefined if there is none. */
  since: z.string().optional(),
  from: z.string(),
  to: z.string(),
  totals: useSchema.extend({
    /** Conversations in apps with skills: the base for the share with a skill. */
    conversationsOffered: count,
    activations: byVia,
    refused: count,
    limited: count,
    /** Answers with a search for skills, and those in which a search found none. */
    searched: count,
    foundNothing: count,
    costs,
  }),
  /** Week by week from Mondays, including weeks without use. */
  weeks: z.array(useSchema.extend({ week: z.string() })),
  apps: z.array(namedUse),
  /** Users in several groups count in each. */
  groups: z.array(namedUse),
  models: z.array(namedUse),
  skills: z.array(skillUseSchema),
  thumbs: z.object({ withSkill: thumbsSchema, withoutSkill: thumbsSchema }),
  /** Enabled and accessible skills that were not used in any answer. */
  neverUsed: z.object({ names: z.array(z.string()), total: count }),
});
export type SkillReport = z.infer<typeof skillReportSchema>;

/** Maximum number of versions in a report: the newest. */
export const maxVersionsReported = 1000;

const versionUseSchema = z.object({
  /** Omitted for uses whose version is unknown. */
  version: count.optional(),
  /** Answers in which it was active. */
  answers: count,
  activations: count,
  /** Denied activations: not available, or too many were active. */
  refused: count,
  limited: count,
  /** Costs of the answers in which it was active. */
  costs,
  /** Ratings of the answers in which it was active. */
  thumbs: thumbsSchema,
});
export type VersionUse = z.infer<typeof versionUseSchema>;

const versionReportSchema = z.object({
  /** Retention in days; 0: nothing is recorded. */
  days: count,
  from: z.string(),
  to: z.string(),
  /** Newest first; uses of an unknown version come last. */
  versions: z.array(versionUseSchema),
});
export type VersionReport = z.infer<typeof versionReportSchema>;

/** Maximum number of reasons returned, newest first. */
export const maxReasons = 200;

const reasonSchema = z.object({
  at: z.string(),
  ...feedbackSchema.required().shape,
  app: z.string(),
  /** Names of skills that were active in the answer. */
  skills: z.array(z.string()),
});
export type Reason = z.infer<typeof reasonSchema>;

export const analyticsApi = {
  skills: endpoint({
    method: 'GET',
    path: '/api/admin/analytics/skills',
    access: 'admin',
    summary: 'Usage of skills in numbers, without texts of conversations',
    query: reportQuery,
    response: skillReportSchema,
  }),
  skillsCsv: fileEndpoint({
    method: 'GET',
    path: '/api/admin/analytics/skills.csv',
    access: 'admin',
    summary: 'The same report as CSV',
    query: reportQuery,
    isDownload: true,
  }),
  versions: endpoint({
    method: 'GET',
    path: '/api/admin/analytics/skills/:skill/versions',
    access: 'admin',
    summary: 'Usage of each version of a skill, also of a deleted one',
    params: z.strictObject({ skill: z.string().min(1).max(300) }),
    query: reportQuery,
    response: versionReportSchema,
  }),
  reasons: endpoint({
    method: 'GET',
    path: '/api/admin/analytics/reasons',
    access: 'admin',
    summary: 'Comments on feedback, newest first',
    query: reportQuery,
    response: z.object({ items: z.array(reasonSchema), total: count }),
  }),
};
