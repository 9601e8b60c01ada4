import { z } from 'zod';

export const feedbackValues = ['up', 'down'] as const;

/** Maximum length of a reason, in characters. */
export const maxReasonLength = 2000;

/** A user's feedback on an answer. */
export const feedbackSchema = z.object({
  value: z.enum(feedbackValues),
  reason: z.string().optional(),
});
export type Feedback = z.infer<typeof feedbackSchema>;

/** As submitted; `null` removes the feedback. */
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
    message: 'Only a rating can have a reason.',
    path: ['reason'],
  });
