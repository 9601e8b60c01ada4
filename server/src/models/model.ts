import type { CallReason } from '@knowhow/shared/chat/call-reason';
import type { Problem } from '@knowhow/shared/problem';

/** The one small type behind which every language model is. */

/** A call of a tool as the model made it; `input` is what it sent, parsed as JSON where it could be. */
export interface ModelToolCall {
  id: string;
  name: string;
  /** The arguments; a string when they were not valid JSON. */
  input: unknown;
  /** Whether the answer reached its limit of length with this call in it. */
  isCut?: boolean;
  /** Why the call is not to be run. Its `input` is then an empty object. */
  fault?: ToolCallFault;
}

export interface ToolCallFault {
  summary: Extract<CallReason, 'arguments too long' | 'wrong arguments'>;
  /** For the model: what is wrong, the limit, and what to do. */
  message: string;
}

/** A picture for a model that sees. */
export interface ModelImage {
  mediaType: string;
  /** base64 */
  data: string;
}

export type ModelMessage =
  | { role: 'user'; content: string; images?: ModelImage[] }
  | {
      role: 'assistant';
      content: string;
      toolCalls: ModelToolCall[];
      /** What the vendor wants back unread within a turn (thought signatures, reasoning items). */
      vendorState?: unknown;
    }
  | {
      role: 'tool';
      callId: string;
      name: string;
      content: string;
      isError: boolean;
      images?: ModelImage[];
    };

/** A tool offered to the model; `parameters` is a JSON schema of type object. */
export interface ModelTool {
  name: string;
  description: string;
  parameters: JsonSchemaObject;
}

export interface JsonSchemaObject {
  [key: string]: unknown;
  type: 'object';
  properties: Record<string, Record<string, unknown>>;
  required?: string[];
  additionalProperties?: boolean;
}

export interface ModelRequest {
  /** Empty when there is nothing to say. */
  system: string;
  messages: ModelMessage[];
  tools: ModelTool[];
  temperature?: number;
  /** Most tokens to answer with; the model's own limit when left out. */
  maxOutputTokens?: number;
  /** The answer is JSON of this schema, where the provider can see to it: the model is told in words as well. */
  answerSchema?: AnswerSchema;
  /** Changes the body of the request as its server has asked for; see `adapt-request.ts`. */
  adaptBody?: (body: object) => object;
}

interface AnswerSchema {
  /** Letters, digits and underscores. */
  name: string;
  /** Every property is required, and there are no others: OpenAI takes no other schema. */
  schema: JsonSchemaObject;
}

/** What a provider counted of one request, in tokens. */
export interface ModelUsage {
  /** All that was read, also what came from its prompt cache. */
  inputTokens: number;
  /** Of these, what came from the cache; undefined where the provider does not say. */
  cachedTokens?: number;
  /** Of these, what was put into the cache, where the provider counts it. */
  cacheWriteTokens?: number;
  /** All that was written, also thoughts. */
  outputTokens: number;
}

export type ModelEvent =
  | { type: 'text'; text: string }
  | { type: 'thinking'; text: string }
  | { type: 'tool-call'; call: ModelToolCall }
  /** The text of this answer so far is thinking: the model ended a block that it had not begun. */
  | { type: 'text-was-thinking' }
  /** To be handed back as `vendorState` of this assistant message. At most one an answer. */
  | { type: 'vendor-state'; state: unknown }
  /** Of this one request; the last one counts. */
  | ({ type: 'usage' } & ModelUsage)
  /** The request has failed before the model said anything, and is made again after this wait. */
  | { type: 'retry'; why: Problem; waitMs: number; refusedTool?: string }
  /** The last event of a whole answer. */
  | { type: 'stop'; reason: 'stop' | 'length' | 'tool-calls' };

/**
 * Asks a language model and yields its answer piece by piece.
 *
 * Throws a `Problem` with a `model-…` code that names the model, never the key or the address, and
 * the next step; its `reason` is what the provider said, for administrators. Ends (by throwing) within a second once `signal` is aborted, and ends the request
 * to the provider with it. An answer that ends without `stop` throws `model-interrupted`, or
 * `model-garbage` when nothing in it could be understood.
 */
export type AskModel = (request: ModelRequest, signal: AbortSignal) => AsyncIterable<ModelEvent>;
