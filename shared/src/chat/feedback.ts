import { z } from 'zod';

export const feedbackValues = ['up', 'down'] as const;

/** The longest reason, in characters. */
export const maxReasonLength = 2000;

/** What its owner thinks of an answer. */
export const feedbackSchema = z.object({
  value: z.enum(feedbackValues),
  reason: z.string().optional(),
});
export type Feedback = z.infer<typeof feedbackSchema>;

/** The same, as it is said; `null` takes it back. */
export const feedbackBodySchema = z
  .strictObject({
    value: z.enum(feedbackValues).nullable(),
    reason: z
      .string()
      .trim()
      .max(maxReasonLength, `A reason has at most ${maxReasonLength} characters.`)
      .optional(),
  })
  .refine(({ value, reason }) => value !== null || !reason, {
    message: 'What is taken back has no reason.',
    path: ['reason'],
  });
