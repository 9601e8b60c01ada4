import { z } from 'zod';
import { endpoint, fileEndpoint, forChat } from '../endpoint.ts';

/** One entry of a form that a tool puts to the user. */
export const questionFieldSchema = z.object({
  name: z.string(),
  label: z.string(),
  description: z.string().optional(),
  type: z.enum(['text', 'number', 'integer', 'boolean', 'choice', 'choices']),
  /** Of `choice` and `choices`. */
  options: z.array(z.object({ value: z.string(), label: z.string() })).optional(),
  required: z.boolean(),
  default: z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]).optional(),
});
export type QuestionField = z.infer<typeof questionFieldSchema>;

/** What a tool wants to know of the user before it goes on. */
export const questionSchema = z.object({
  message: z.string(),
  fields: z.array(questionFieldSchema),
  /** A page to open, in place of fields. */
  url: z.string().optional(),
});
export type Question = z.infer<typeof questionSchema>;

/** What a tool and its source are called, for people. */
const shownTool = { title: z.string(), source: z.string() };

/** What a call waits for, that its user is to say. */
export const waitsForSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('consent'),
    /** Of the call that is asked about: the one that waits, or one that it makes in turn. */
    callId: z.string(),
    ...shownTool,
    /** What is asked about: the arguments, or what came of them, such as code. */
    input: z.unknown(),
    isDestructive: z.boolean(),
    isAssumed: z.boolean().optional(),
    expiresAt: z.string(),
  }),
  z.object({
    type: z.literal('question'),
    question: z.string(),
    ...shownTool,
    ...questionSchema.shape,
    expiresAt: z.string(),
  }),
]);

const answerValue = z.union([
  z.string().max(10_000),
  z.number(),
  z.boolean(),
  z.array(z.string().max(10_000)).max(100),
]);

/** `cancel` also when nobody answered. */
export const questionAnswerSchema = z.strictObject({
  action: z.enum(['accept', 'decline', 'cancel']),
  /** By the names of the fields. */
  values: z.record(z.string().max(200), answerValue).optional(),
});
export type QuestionAnswer = z.infer<typeof questionAnswerSchema>;

/** A file that a tool has made, kept with the answer. */
export const storedFileSchema = z.object({
  id: z.string(),
  name: z.string(),
  type: z.string(),
  /** In bytes. */
  size: z.number().int(),
});
export type StoredFile = z.infer<typeof storedFileSchema>;

/** What somebody decides when a tool wants to run. */
export const consentDecisions = ['once', 'conversation', 'always', 'deny'] as const;
export type ConsentDecision = (typeof consentDecisions)[number];

const conversation = z.strictObject({ id: z.uuid().toLowerCase() });

/** What somebody has allowed for always. */
export const keptConsentSchema = z.object({
  id: z.string(),
  /** `<source>/<name>` */
  tool: z.string(),
  title: z.string(),
  source: z.string(),
  /** ISO 8601, UTC. */
  at: z.string(),
});
export type KeptConsent = z.infer<typeof keptConsentSchema>;

export const toolsApi = {
  consent: endpoint({
    method: 'POST',
    path: '/api/conversations/:id/consents/:callId',
    access: 'user',
    inFrame: true,
    summary: 'Let a call of a tool run that waits for it (`tool.consent`), or not',
    params: conversation.extend({ callId: z.string().min(1).max(300) }),
    body: z.strictObject({ decision: z.enum(consentDecisions) }),
    response: z.void(),
  }),
  answer: endpoint({
    method: 'POST',
    path: '/api/conversations/:id/questions/:question',
    access: 'user',
    inFrame: true,
    summary: 'Answer what a call of a tool asks (`tool.question`)',
    params: conversation.extend({ question: z.string().min(1).max(300) }),
    body: questionAnswerSchema,
    response: z.void(),
  }),
  result: endpoint({
    method: 'GET',
    path: '/api/messages/:id/calls/:number',
    ...forChat,
    summary:
      'What a call of a tool gave to the model, in an answer of your own; calls are numbered from 0',
    params: conversation.extend({ number: z.coerce.number().int().min(0).max(1000) }),
    response: z.object({ content: z.string(), isError: z.boolean(), ms: z.number().int() }),
  }),
  file: fileEndpoint({
    method: 'GET',
    path: '/api/files/:id',
    // Pictures are shown in the answer.
    isDownload: false,
    ...forChat,
    summary: 'A file of your own: one that you have uploaded, or that a tool has made for you',
    params: z.strictObject({ id: z.string().min(1).max(100) }),
  }),
  consents: endpoint({
    method: 'GET',
    path: '/api/account/consents',
    access: 'user',
    summary: 'The tools that you let run without being asked',
    response: z.object({ items: z.array(keptConsentSchema) }),
  }),
  revoke: endpoint({
    method: 'DELETE',
    path: '/api/account/consents/:id',
    access: 'user',
    summary: 'Be asked again before a tool runs',
    params: z.strictObject({ id: z.string().min(1).max(100) }),
    response: z.void(),
  }),
};
