import type { ModelToolCall } from '../models/model.ts';
import type { CompletionEvent } from './begin-completion.ts';
import { idWithSkills } from './call-ids.ts';

/** Fields shared by all chunks of an answer. */
export interface Heading {
  id: string;
  /** Unix time in seconds. */
  created: number;
  /** As named in the request. */
  model: string;
}

export type CompletionEnd = Extract<CompletionEvent, { type: 'end' }>;

/** A complete answer in OpenAI's format; `knowhow` lists the active skills. */
export function wholeAnswer(
  heading: Heading,
  text: string,
  end: CompletionEnd,
  skills: readonly string[],
) {
  const calls = toolCalls(end.calls, skills);
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
    knowhow: { skills },
  };
}

/** A chunk of an answer. @param withUsage the usage follows, so each chunk has `usage: null` */
export function chunk(
  heading: Heading,
  delta: object,
  {
    reason,
    withUsage,
    skills,
  }: { reason?: string; withUsage: boolean; skills?: readonly string[] },
) {
  return {
    ...heading,
    object: 'chat.completion.chunk',
    choices: [{ index: 0, delta, logprobs: null, finish_reason: reason ?? null }],
    ...(withUsage ? { usage: null } : {}),
    ...(skills ? { knowhow: { skills } } : {}),
  };
}

/** The usage chunk, sent after the last one. */
export function usageChunk(heading: Heading, end: CompletionEnd) {
  return { ...heading, object: 'chat.completion.chunk', choices: [], usage: toUsage(end) };
}

/** Complete calls with their index, as a chunk contains them. */
export function callDeltas(calls: readonly ModelToolCall[], skills: readonly string[]) {
  return toolCalls(calls, skills).map((call, index) => ({ index, ...call }));
}

/** Calls of the client's tools; the IDs encode the active skills. */
export function toolCalls(calls: readonly ModelToolCall[], skills: readonly string[]) {
  return calls.map(({ id, name, input }) => ({
    id: idWithSkills(id, skills),
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
