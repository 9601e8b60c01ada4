import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { listOf, pageQuery } from '../list.ts';
import { skillTranslationsSchema } from './skill-translations.ts';
import { reviewDateSchema } from './skills-config.ts';

/** Why a skill needs attention. */
export const attentionReasons = [
  'review',
  'triggers',
  'thumbs',
  'deprecated',
  'unused',
  'no-owner',
] as const;
export type AttentionReason = (typeof attentionReasons)[number];

/** A review is listed this many days before its date. */
export const reviewNoticeDays = 14;
/** Days without a use after which a skill counts as unused. */
export const unusedDays = 90;
/** Thumbs of the last days are compared with those of the days before. */
export const recentThumbsDays = 30;
export const earlierThumbsDays = 90;

const thumbs = z.object({ up: z.number().int(), down: z.number().int() });

const findingSchema = z.discriminatedUnion('reason', [
  /** Its review date has passed, or is near. */
  z.object({ reason: z.literal('review'), reviewBy: reviewDateSchema }),
  /** A model activates it less reliably than in the run of the tests before. Shares of right answers in per cent. */
  z.object({
    reason: z.literal('triggers'),
    model: z.string(),
    share: z.number().int(),
    before: z.number().int(),
    at: z.string(),
  }),
  /** Its share of thumbs up has fallen. */
  z.object({ reason: z.literal('thumbs'), recent: thumbs, earlier: thumbs }),
  /** It is deprecated without a successor, and apps still offer it. */
  z.object({ reason: z.literal('deprecated'), apps: z.number().int() }),
  /** The time of its last use is omitted if analytics do not know one. */
  z.object({ reason: z.literal('unused'), lastUsedAt: z.string().optional() }),
  z.object({ reason: z.literal('no-owner') }),
]);
export type AttentionFinding = z.infer<typeof findingSchema>;

export const attentionItemSchema = z.object({
  name: z.string(),
  displayName: z.string(),
  translations: skillTranslationsSchema.optional(),
  /** Display name of its owner. */
  owner: z.string().optional(),
  reviewBy: reviewDateSchema.optional(),
  /** Most urgent first. */
  findings: z.array(findingSchema),
  /** Whether the reader has a page about the skill in the library. */
  isInLibrary: z.boolean(),
});
export type AttentionItem = z.infer<typeof attentionItemSchema>;

export const skillAttentionApi = {
  list: endpoint({
    method: 'GET',
    path: '/api/skill-attention',
    access: 'user',
    summary:
      'Skills that need attention, most urgent first: your own, or all for administrators of skills',
    query: pageQuery.extend({
      /** Without it, skills that only lack an owner are left out. */
      reason: z.enum(attentionReasons).optional(),
    }),
    response: listOf(attentionItemSchema).extend({
      /** Number of skills with each reason, independent of the filter. */
      counts: z.record(z.enum(attentionReasons), z.number().int()),
    }),
  }),
  review: endpoint({
    method: 'PUT',
    path: '/api/skill-attention/:name/review-date',
    access: 'user',
    summary: 'Set or clear the date by which a skill must be reviewed, as owner or administrator',
    params: z.strictObject({ name: z.string().min(1).max(300) }),
    body: z.strictObject({ reviewBy: reviewDateSchema.nullable() }),
    response: z.object({ reviewBy: reviewDateSchema.optional() }),
  }),
};
