import { z } from 'zod';
import { endpoint, fileEndpoint, forChat } from '../endpoint.ts';

/** A field of a form that a tool shows to the user. */
export const questionFieldSchema = z.object({
  name: z.string(),
  label: z.string(),
  description: z.string().optional(),
  type: z.enum(['text', 'number', 'integer', 'boolean', 'choice', 'choices']),
  /** For `choice` and `choices`. */
  options: z.array(z.object({ value: z.string(), label: z.string() })).optional(),
  required: z.boolean(),
  default: z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]).optional(),
});
export type QuestionField = z.infer<typeof questionFieldSchema>;

/** A question of a tool to the user (elicitation). */
export const questionSchema = z.object({
  message: z.string(),
  fields: z.array(questionFieldSchema),
  /** A page to open, instead of fields. */
  url: z.string().optional(),
});
export type Question = z.infer<typeof questionSchema>;

/** Titles of a tool and its source. The keys of built-in ones select texts in `locales`. */
export const toolLabelSchema = z.object({
  title: z.string(),
  source: z.string(),
  /** Key in `tools`. Tools of other sources have none, whatever their names are. */
  toolKey: z.string().optional(),
  /** Key in `toolSources`. */
  sourceKey: z.enum(['scripts']).optional(),
});
export type ToolLabel = z.infer<typeof toolLabelSchema>;

/** The user input that a call waits for. */
export const waitsForSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('consent'),
    /** The call that needs approval: the waiting one, or a nested one. */
    callId: z.string(),
    ...toolLabelSchema.shape,
    /** The subject of the approval: the arguments, or something derived from them, such as code. */
    input: z.unknown(),
    isDestructive: z.boolean(),
    isAssumed: z.boolean().optional(),
    expiresAt: z.string(),
  }),
  z.object({
    type: z.literal('question'),
    question: z.string(),
    ...toolLabelSchema.shape,
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

/** `cancel` also if there was no answer. */
export const questionAnswerSchema = z.strictObject({
  action: z.enum(['accept', 'decline', 'cancel']),
  /** By field name. */
  values: z.record(z.string().max(200), answerValue).optional(),
});
export type QuestionAnswer = z.infer<typeof questionAnswerSchema>;

/** A file created by a tool, stored with the answer. */
export const storedFileSchema = z.object({
  id: z.string(),
  name: z.string(),
  type: z.string(),
  /** In bytes. */
  size: z.number().int(),
});
export type StoredFile = z.infer<typeof storedFileSchema>;

/** Possible decisions about a tool call. */
export const consentDecisions = ['once', 'conversation', 'always', 'deny'] as const;
export type ConsentDecision = (typeof consentDecisions)[number];

const conversation = z.strictObject({ id: z.uuid().toLowerCase() });

/** A tool that a user always allows. */
export const keptConsentSchema = z.object({
  id: z.string(),
  /** `<source>/<name>` */
  tool: z.string(),
  ...toolLabelSchema.shape,
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
    summary: 'Approve or deny a waiting tool call (`tool.consent`)',
    params: conversation.extend({ callId: z.string().min(1).max(300) }),
    body: z.strictObject({ decision: z.enum(consentDecisions) }),
    response: z.void(),
  }),
  answer: endpoint({
    method: 'POST',
    path: '/api/conversations/:id/questions/:question',
    access: 'user',
    inFrame: true,
    summary: 'Answer a question of a tool call (`tool.question`)',
    params: conversation.extend({ question: z.string().min(1).max(300) }),
    body: questionAnswerSchema,
    response: z.void(),
  }),
  result: endpoint({
    method: 'GET',
    path: '/api/messages/:id/calls/:number',
    ...forChat,
    summary: 'The result of a tool call in one of your answers; calls are numbered from 0',
    params: conversation.extend({ number: z.coerce.number().int().min(0).max(1000) }),
    response: z.object({ content: z.string(), isError: z.boolean(), ms: z.number().int() }),
  }),
  file: fileEndpoint({
    method: 'GET',
    path: '/api/files/:id',
    // Pictures are displayed in the answer.
    isDownload: false,
    ...forChat,
    summary: 'One of your files: uploaded by you, or created by a tool',
    params: z.strictObject({ id: z.string().min(1).max(100) }),
  }),
  consents: endpoint({
    method: 'GET',
    path: '/api/account/consents',
    access: 'user',
    summary: 'Tools that you always allow',
    response: z.object({ items: z.array(keptConsentSchema) }),
  }),
  revoke: endpoint({
    method: 'DELETE',
    path: '/api/account/consents/:id',
    access: 'user',
    summary: 'Revoke that a tool is always allowed',
    params: z.strictObject({ id: z.string().min(1).max(100) }),
    response: z.void(),
  }),
};
