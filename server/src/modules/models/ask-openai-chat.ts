import type { ModelConfig } from '@knowhow/shared/config/models';
import { isRecord } from '@knowhow/shared/is-record';
import type { ThinkChunk$Outbound } from '@mistralai/mistralai/models/components';
import { collectToolCalls, type ToolCallCollector } from './collect-tool-calls.ts';
import type { StreamAnswer } from './guard-answer.ts';
import type { ModelEvent, ModelRequest } from './model.ts';
import { ModelFailure } from './model-failure.ts';
import { chatState, type Thought, thoughtFields } from './openai-chat-state.ts';
import { createOpenAiClient } from './openai-client.ts';
import { readSse } from './read-sse.ts';
import { usageEvent } from './usage-event.ts';
import { mergeVendorFields, type VendorFields, withoutFields } from './vendor-fields.ts';

/**
 * Chat completions for OpenAI, Mistral and OpenAI-compatible servers. All deviations from the protocol are handled
 * here, in `readSse` and in `collectToolCalls`.
 *
 * @param bodyOf builds the request body for the provider
 */
export function askOpenAiChat(
  bodyOf: (request: ModelRequest, config: ModelConfig) => object,
  config: ModelConfig,
  fetch: typeof globalThis.fetch,
): StreamAnswer {
  let client: ReturnType<typeof createOpenAiClient> | undefined;
  return async function* answer(request, signal) {
    client ??= createOpenAiClient(fetch);
    const body = bodyOf(request, config);
    // `chat.completions.create` would do the same. But its type knows neither Mistral nor thinking, and its stream
    // costs as much per token as everything else.
    const response = await (await client)
      .post('/chat/completions', {
        body: request.adaptBody?.(body) ?? body,
        stream: true,
        signal,
      })
      .asResponse();
    if (!response.body) {
      throw new ModelFailure({ kind: 'garbage' });
    }
    const state = createState();
    const onDone = () => {
      state.isDone = true;
    };
    try {
      for await (const chunks of readSse<Chunk>(response.body, onDone)) {
        yield* readBatch(chunks, state);
      }
    } catch (error) {
      // An error after the end of the answer is harmless.
      if (state.reason === undefined && !state.isDone) {
        throw error;
      }
    }
    yield* finish(state);
  };
}

/** OpenAI's chunk, extended by the thinking of other servers and Mistral's content parts. */
interface Chunk {
  usage?: unknown;
  choices?: (Choice | null)[] | null;
}

interface Choice {
  delta?: Delta | null;
  /** The whole answer, from servers that do not stream. */
  message?: Delta | null;
  finish_reason?: string | null;
  error?: unknown;
}

interface Delta {
  content?: string | (Part | string | null)[] | null;
  refusal?: string | null;
  tool_calls?: unknown;
  function_call?: unknown;
}

interface Part {
  type?: string;
  text?: string;
  thinking?: string | ThinkChunk$Outbound['thinking'];
  signature?: string | null;
}

interface StreamState {
  calls: ToolCallCollector;
  thought: Thought;
  /** Unknown fields of the message. */
  fields: VendorFields;
  /** Finish reason; undefined until it arrives. */
  reason: string | undefined;
  isDone: boolean;
  hasAnswer: boolean;
}

/** Fields of a message that are parsed here or useless to its server. All others are sent back. */
const knownFields: ReadonlySet<string> = new Set([
  ...['role', 'content', 'refusal', 'tool_calls', 'function_call', 'name'],
  ...['annotations', 'audio', 'citations', 'images'],
  ...thoughtFields,
]);

function createState(): StreamState {
  return {
    calls: collectToolCalls(),
    thought: { text: '' },
    fields: {},
    reason: undefined,
    isDone: false,
    hasAnswer: false,
  };
}

/** Events of chunks that arrived together; adjacent texts are merged. */
function* readBatch(chunks: Chunk[], state: StreamState): Generator<ModelEvent> {
  let text = '';
  for (const chunk of chunks) {
    for (const event of readChunk(chunk, state)) {
      if (event.type === 'text') {
        text += event.text;
        continue;
      }
      if (text !== '') {
        yield { type: 'text', text };
        text = '';
      }
      yield event;
    }
    const failure = choiceFailure(chunk);
    if (failure) {
      yield* text === '' ? [] : [{ type: 'text' as const, text }];
      throw failure;
    }
  }
  if (text !== '') {
    yield { type: 'text', text };
  }
}

function firstChoice(chunk: Chunk): Choice | undefined {
  const choice = isRecord(chunk) && Array.isArray(chunk.choices) ? chunk.choices[0] : undefined;
  return isRecord(choice) ? choice : undefined;
}

/** OpenRouter reports errors of the upstream provider in the choice. */
function choiceFailure(chunk: Chunk): ModelFailure | undefined {
  const error = firstChoice(chunk)?.error;
  return error
    ? new ModelFailure({ kind: 'reported', body: JSON.stringify({ error }) })
    : undefined;
}

function readChunk(chunk: Chunk, state: StreamState): ModelEvent[] {
  const choice = firstChoice(chunk);
  const events = readChoice(choice, state);
  const reason = choice?.finish_reason;
  // DashScope sends "null" in each chunk.
  if (typeof reason === 'string' && reason !== '' && reason !== 'null') {
    state.reason ??= reason;
  }
  if (isRecord(chunk) && isRecord(chunk.usage)) {
    const { prompt_tokens, completion_tokens, prompt_tokens_details: details } = chunk.usage;
    events.push(
      usageEvent({
        inputTokens: prompt_tokens,
        cachedTokens: isRecord(details) ? details.cached_tokens : undefined,
        outputTokens: completion_tokens,
      }),
    );
  }
  return events;
}

function readChoice(choice: Choice | undefined, state: StreamState): ModelEvent[] {
  if (isRecord(choice?.delta)) {
    state.hasAnswer ||= Object.keys(choice.delta).some((name) => name !== 'role');
    return readDelta(choice.delta, state);
  }
  // Some servers send the whole message after its deltas.
  return isRecord(choice?.message) && !state.hasAnswer ? readDelta(choice.message, state) : [];
}

function readDelta(delta: Delta, state: StreamState): ModelEvent[] {
  const { thought, calls } = state;
  const events: ModelEvent[] = [];
  const say = (text: unknown) => {
    if (typeof text === 'string' && text !== '') {
      events.push({ type: 'text', text });
    }
  };
  const think = (text: unknown, form: Thought['form']) => {
    if (typeof text === 'string' && text !== '') {
      events.push({ type: 'thinking', text });
      thought.text += text;
      thought.form ??= form;
    }
  };
  const fields: Record<string, unknown> = { ...delta };
  const form = thoughtFields.find((name) => typeof fields[name] === 'string' && fields[name]);
  think(form && fields[form], form);
  for (const part of Array.isArray(delta.content) ? delta.content : []) {
    if (typeof part !== 'object' || part === null) {
      say(part);
    } else if (part.type === 'thinking') {
      think(thinkingText(part.thinking), 'mistral');
      thought.signature ??= part.signature;
    } else {
      say(part.text);
    }
  }
  say(typeof delta.content === 'string' ? delta.content : delta.refusal);
  const pieces = Array.isArray(delta.tool_calls) ? delta.tool_calls : [];
  for (const piece of [...pieces, ...(delta.function_call ? [delta.function_call] : [])]) {
    calls.add(piece);
  }
  state.fields = mergeVendorFields(state.fields, withoutFields(delta, knownFields));
  return events;
}

function thinkingText(thinking: Part['thinking']): string {
  return Array.isArray(thinking)
    ? thinking.map((each) => ('text' in each ? each.text : '')).join('')
    : (thinking ?? '');
}

/** Finish reasons for an answer that reached a limit, was refused, or failed. */
const lengthReasons = /^(length|model_length|max_tokens|max_output_tokens|max_length)$/i;
const refusalReasons = /^(content[-_ ]?filter(ed)?|safety|sensitive|refusal|prohibited_content)$/i;
const failureReasons =
  /^(error|abort|aborted|cancelled|network_error|insufficient_system_resource|(malformed|unexpected)_(function_call|tool_call|response))$/i;

function* finish(state: StreamState): Generator<ModelEvent> {
  const { reason = '', isDone, thought, fields } = state;
  if (reason === '' && !isDone) {
    // The stream ended early; the caller reports that.
    return;
  }
  if (refusalReasons.test(reason)) {
    throw new ModelFailure({ kind: 'refused' });
  }
  if (failureReasons.test(reason)) {
    throw new ModelFailure({ kind: 'reported', body: `finish_reason: ${reason}` });
  }
  const isTruncated = lengthReasons.test(reason);
  const collected = state.calls.calls();
  // Without a finish reason, the last call may be truncated.
  const calls = reason === '' ? collected.filter(({ isWhole }) => isWhole) : collected;
  for (const { call } of calls) {
    yield { type: 'tool-call', call: isTruncated ? { ...call, isTruncated: true } : call };
  }
  if (!isTruncated) {
    yield* chatState({ thought, fields, calls: calls.map((each) => each.fields) });
  }
  // Some servers report "stop" after calls as well.
  const ended = calls.length > 0 ? 'tool-calls' : 'stop';
  yield { type: 'stop', reason: isTruncated ? 'length' : ended };
}
