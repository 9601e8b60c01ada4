import type { ModelToolCall } from '../../models/index.ts';
import type { ActiveNames, CompletionEvent } from './begin-completion.ts';
import { encodeCallId } from './call-ids.ts';

/** Fields shared by all chunks of an answer. */
export interface CompletionHeader {
  id: string;
  /** Unix time in seconds. */
  created: number;
  /** As named in the request. */
  model: string;
}

export type CompletionEnd = Extract<CompletionEvent, { type: 'end' }>;

/** A complete answer in OpenAI's format; `knowhow` lists the active skills. */
export function createCompletion(
  heading: CompletionHeader,
  text: string,
  end: CompletionEnd,
  active: ActiveNames,
) {
  const calls = createToolCalls(end.calls, active.skills);
  return {
    ...heading,
    object: 'chat.completion' as const,
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: text === '' && calls.length > 0 ? null : text,
          refusal: null,
          ...(calls.length > 0 ? { tool_calls: calls } : {}),
        },
        logprobs: null,
        finish_reason: end.reason,
      },
    ],
    usage: toUsage(end),
    knowhow: active,
  };
}

/** A chunk of an answer. @param withUsage the usage follows, so each chunk has `usage: null` */
export function createChunk(
  heading: CompletionHeader,
  delta: object,
  { reason, withUsage, active }: { reason?: string; withUsage: boolean; active?: ActiveNames },
) {
  return {
    ...heading,
    object: 'chat.completion.chunk',
    choices: [{ index: 0, delta, logprobs: null, finish_reason: reason ?? null }],
    ...(withUsage ? { usage: null } : {}),
    ...(active ? { knowhow: active } : {}),
  };
}

/** The usage chunk, sent after the last one. */
export function createUsageChunk(heading: CompletionHeader, end: CompletionEnd) {
  return { ...heading, object: 'chat.completion.chunk', choices: [], usage: toUsage(end) };
}

/** Complete calls with their index, as a chunk contains them. */
export function createCallDeltas(calls: readonly ModelToolCall[], skills: readonly string[]) {
  return createToolCalls(calls, skills).map((call, index) => ({ index, ...call }));
}

/** Calls of the client's tools; the IDs encode the active skills. */
export function createToolCalls(calls: readonly ModelToolCall[], skills: readonly string[]) {
  return calls.map(({ id, name, input }) => ({
    id: encodeCallId(id, skills),
    type: 'function' as const,
    function: { name, arguments: typeof input === 'string' ? input : JSON.stringify(input ?? {}) },
  }));
}

function toUsage({ usage: { inputTokens, outputTokens } }: CompletionEnd) {
  return {
    prompt_tokens: inputTokens,
    completion_tokens: outputTokens,
    total_tokens: inputTokens + outputTokens,
  };
}
