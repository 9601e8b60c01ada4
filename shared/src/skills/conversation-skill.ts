import { z } from 'zod';
import { noBody, streamEndpoint } from '../endpoint.ts';
import { problemSchema } from '../problem.ts';

/** Kinds of words that a skill should not repeat from a conversation. */
export const privateKinds = ['secret', 'email', 'phone', 'address', 'name'] as const;
export type PrivateKind = (typeof privateKinds)[number];

/** A skill that a model has written from a conversation. Nothing is stored. */
export const conversationSkillSchema = z.object({
  name: z.string(),
  description: z.string(),
  instructions: z.string(),
  /** Requests that should activate it. */
  prompts: z.array(z.string()),
  /** Words of its texts that are probably private, each once. */
  private: z.array(z.object({ kind: z.enum(privateKinds), text: z.string() })),
  /** Filled in without a model, because the demo model cannot write. */
  isTemplate: z.boolean(),
});
export type ConversationSkill = z.infer<typeof conversationSkillSchema>;

/** Exactly one `skill` or `error` is the last. */
export const conversationSkillEventSchema = z.discriminatedUnion('type', [
  /** The number of characters that the model has written. */
  z.object({ type: z.literal('progress'), characters: z.number().int() }),
  z.object({ type: z.literal('skill'), skill: conversationSkillSchema }),
  z.object({ type: z.literal('error'), problem: problemSchema }),
]);
export type ConversationSkillEvent = z.infer<typeof conversationSkillEventSchema>;

export const conversationSkillApi = {
  write: streamEndpoint({
    access: 'user',
    summary:
      'Has the model of a conversation write a skill from it. Counts as a turn. Ends with the connection',
    method: 'POST',
    path: '/api/conversations/:id/skill',
    params: z.strictObject({ id: z.uuid() }),
    body: noBody,
    event: conversationSkillEventSchema,
  }),
};
