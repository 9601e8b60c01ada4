import type { CallReason } from '@knowhow/shared/chat/call-reason';
import type { Problem } from '@knowhow/shared/problem';

/** The common interface of all language models. */

/** A tool call as the model made it; `input` is what it sent, parsed as JSON if possible. */
export interface ModelToolCall {
  id: string;
  name: string;
  /** The arguments; a string if they were not valid JSON. */
  input: unknown;
  /** Whether the answer reached its length limit within this call. */
  isTruncated?: boolean;
  /** Why the call must not be run; its `input` is then an empty object. */
  issue?: ToolCallIssue;
}

export interface ToolCallIssue {
  summary: Extract<CallReason, 'arguments too long' | 'wrong arguments'>;
  /** For the model: what is wrong, the limit, and what to do. */
  message: string;
}

/** An image for a vision model. */
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
      /** Opaque data that the vendor wants back within a turn (thought signatures, reasoning items). */
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
  /** May be empty. */
  system: string;
  messages: ModelMessage[];
  tools: ModelTool[];
  temperature?: number;
  /** Maximum output tokens; default is the model's own limit. */
  maxOutputTokens?: number;
  /** JSON schema of the answer, if the provider supports it; the prompt must describe it as well. */
  answerSchema?: AnswerSchema;
  /** Adapts the request body to its server; see `adapt-request.ts`. */
  adaptBody?: (body: object) => object;
}

interface AnswerSchema {
  /** Letters, digits and underscores. */
  name: string;
  /** All properties are required and there are no others; OpenAI accepts no other schema. */
  schema: JsonSchemaObject;
}

/** Token counts that a provider reported for one request. */
export interface ModelUsage {
  /** All input tokens, including cached ones. */
  inputTokens: number;
  /** Input tokens read from the prompt cache; undefined if the provider does not report them. */
  cachedTokens?: number;
  /** Input tokens written to the prompt cache, if the provider reports them. */
  cacheWriteTokens?: number;
  /** All output tokens, including thinking. */
  outputTokens: number;
}

export type ModelEvent =
  | { type: 'text'; text: string }
  | { type: 'thinking'; text: string }
  | { type: 'tool-call'; call: ModelToolCall }
  /** The text of this answer so far is thinking: the model closed a block that it had never opened. */
  | { type: 'text-was-thinking' }
  /** Send it back as `vendorState` of this assistant message. At most one per answer. */
  | { type: 'vendor-state'; state: unknown }
  /** Usage of this request; the last event applies. */
  | ({ type: 'usage' } & ModelUsage)
  /** The request failed before any output and is retried after this wait. */
  | { type: 'retry'; why: Problem; waitMs: number; refusedTool?: string }
  /** The last event of a complete answer. */
  | { type: 'stop'; reason: 'stop' | 'length' | 'tool-calls' };

/**
 * Asks a language model and streams its answer.
 *
 * Throws a `Problem` with a `model-…` code that names the model, never the key or the address, and the next step. Its
 * `reason` is the provider's message, for administrators. Once `signal` is aborted, it throws within a second and
 * aborts the provider's request. An answer that ends without `stop` throws `model-interrupted`, or `model-garbage` if
 * no part of it could be parsed.
 */
export type AskModel = (request: ModelRequest, signal: AbortSignal) => AsyncIterable<ModelEvent>;
