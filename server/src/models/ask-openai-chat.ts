import type { ModelConfig } from '@knowhow/shared/config/models';
import type { ThinkChunk$Outbound } from '@mistralai/mistralai/models/components';
import type { ChatCompletionChunk } from 'openai/resources/chat/completions';
import { collectToolCalls, type ToolCallCollector } from './collect-tool-calls.ts';
import type { StreamAnswer } from './guard-answer.ts';
import type { ModelEvent, ModelRequest } from './model.ts';
import { ModelFailure } from './model-failure.ts';
import { createOpenAiClient } from './openai-client.ts';
import { readSse } from './read-sse.ts';
import { usageEvent } from './usage-event.ts';
import { vendorState } from './vendor-state.ts';

/**
 * Chat completions: OpenAI, Mistral, and every server that speaks like OpenAI.
 *
 * @param bodyOf the request as the provider takes it
 */
export function askOpenAiChat(
  bodyOf: (request: ModelRequest, config: ModelConfig) => object,
  config: ModelConfig,
  fetch: typeof globalThis.fetch,
): StreamAnswer {
  let client: ReturnType<typeof createOpenAiClient> | undefined;
  return async function* answer(request, signal) {
    client ??= createOpenAiClient(fetch);
    // `chat.completions.create` does the same, but its type knows neither Mistral nor thinking, and
    // its stream costs as much for each token as all the rest.
    const response = await (await client)
      .post('/chat/completions', { body: bodyOf(request, config), stream: true, signal })
      .asResponse();
    if (!response.body) {
      throw new ModelFailure({ kind: 'garbage' });
    }
    const reading = beginReading();
    for await (const chunks of readSse<Chunk | null>(response.body)) {
      yield* mergeTexts(chunks.flatMap((chunk) => readChunk(chunk, reading)));
    }
  };
}

/** OpenAI's chunk, with the thinking of other servers and the content parts of Mistral. */
interface Chunk extends Pick<ChatCompletionChunk, 'usage'> {
  choices?: { delta?: Delta; finish_reason?: string | null }[];
}

interface Delta extends Pick<ChatCompletionChunk.Choice.Delta, 'refusal' | 'tool_calls'> {
  content?: string | MistralPart[] | null;
  reasoning_content?: string | null;
  reasoning?: string | null;
}

type MistralPart = { type: 'text'; text: string } | ThinkChunk$Outbound;

interface Reading {
  calls: ToolCallCollector;
  thought: Thought;
  finished: boolean;
}

function beginReading(): Reading {
  return { calls: collectToolCalls(), thought: { text: '' }, finished: false };
}

function readChunk(chunk: Chunk | null, reading: Reading): ModelEvent[] {
  const { calls, thought } = reading;
  const choice = chunk?.choices?.[0];
  const events = choice?.delta ? readDelta(choice.delta, thought) : [];
  choice?.delta?.tool_calls?.forEach(calls.add);
  // Some servers say it once more with the usage.
  if (choice?.finish_reason && !reading.finished) {
    reading.finished = true;
    events.push(...finish(choice.finish_reason, calls, thought));
  }
  if (chunk?.usage) {
    const { prompt_tokens, completion_tokens, prompt_tokens_details: details } = chunk.usage;
    events.push(
      usageEvent({
        inputTokens: prompt_tokens,
        cachedTokens: details?.cached_tokens,
        outputTokens: completion_tokens,
      }),
    );
  }
  return events;
}

/** Neighbouring pieces of text become one. */
function mergeTexts(events: ModelEvent[]): ModelEvent[] {
  const merged: ModelEvent[] = [];
  for (const event of events) {
    const last = merged.at(-1);
    if (event.type === 'text' && last?.type === 'text') {
      merged[merged.length - 1] = { type: 'text', text: last.text + event.text };
    } else {
      merged.push(event);
    }
  }
  return merged;
}

/** All the thinking of an answer, and the form in which its server wants it back. */
interface Thought {
  text: string;
  form?: 'reasoning_content' | 'reasoning' | 'mistral';
  signature?: string | null;
}

function readDelta(delta: Delta, thought: Thought): ModelEvent[] {
  const events: ModelEvent[] = [];
  const say = (text: string | null | undefined) => {
    if (text) {
      events.push({ type: 'text', text });
    }
  };
  const think = (text: string | null | undefined, form: Thought['form']) => {
    if (text) {
      events.push({ type: 'thinking', text });
      thought.text += text;
      thought.form = form;
    }
  };
  if (delta.reasoning_content) {
    think(delta.reasoning_content, 'reasoning_content');
  } else {
    think(delta.reasoning, 'reasoning');
  }
  for (const part of Array.isArray(delta.content) ? delta.content : []) {
    if (part.type === 'thinking') {
      think(part.thinking.map((each) => ('text' in each ? each.text : '')).join(''), 'mistral');
      thought.signature ??= part.signature;
    } else if (part.type === 'text') {
      say(part.text);
    }
  }
  say(typeof delta.content === 'string' ? delta.content : delta.refusal);
  return events;
}

function* finish(
  reason: string,
  calls: ToolCallCollector,
  thought: Thought,
): Generator<ModelEvent> {
  if (reason === 'content_filter') {
    throw new ModelFailure({ kind: 'refused' });
  }
  if (reason === 'error') {
    throw new ModelFailure({ kind: 'reported', body: 'finish_reason: error' });
  }
  // The last call of an answer that was cut off is not whole.
  const isCut = reason === 'length';
  const made = calls.calls();
  for (const call of made) {
    yield { type: 'tool-call', call: isCut ? { ...call, isCut } : call };
  }
  if (made.length > 0 && thought.form && !isCut) {
    yield stateOf(thought);
  }
  // Some servers say "stop" after calls as well.
  const ended = made.length > 0 ? 'tool-calls' : 'stop';
  yield { type: 'stop', reason: isCut ? 'length' : ended };
}

function stateOf({ text, form, signature }: Thought): ModelEvent {
  if (form !== 'mistral') {
    return vendorState('openai-chat', [{ [form ?? 'reasoning']: text }]);
  }
  const part: ThinkChunk$Outbound = {
    type: 'thinking',
    thinking: [{ type: 'text', text }],
    signature,
    closed: true,
  };
  return vendorState('mistral', [part]);
}
