import type { AssistantMessage } from '@knowhow/shared/chat/conversations';
import type { Records } from '../conversations/records.ts';
import type { TurnAccess } from './turn-access.ts';
import { defaultWindow, type Window, windowOf } from './window.ts';

/** So many of the last requests are looked at: what stands in a conversation changes. */
const lastCalls = 8;
/** Of the window: what a vendor adds to each request says nothing of the texts, and in a small one it is most. */
const leastShare = 1 / 16;
const mostCorrection = 2;
/** Small steps, and few: what is corrected again may begin a request in other bytes. */
const step = 0.1;

/** How the window of a model is shared out in a conversation, after what the provider has counted in it. */
export function windowIn(records: Pick<Records, 'messages'>, access: TurnAccess): Window {
  const { config } = access.model;
  const { contextWindow = defaultWindow } = config;
  return windowOf(config, access.app, correctionOf(records, config.id, contextWindow));
}

/**
 * How many times as many tokens as we estimate the provider of a model has counted in this conversation,
 * from 1 to 2. Never fewer: some servers report only what they had not cached.
 *
 * @param contextWindow of the model, in tokens
 */
function correctionOf(
  { messages }: Pick<Records, 'messages'>,
  model: string,
  contextWindow: number,
): number {
  const least = contextWindow * leastShare;
  const ratios = callsOf(messages, model).map(
    ({ inputTokens, estimated }) => inputTokens / Math.max(estimated, least),
  );
  const highest = Math.min(mostCorrection, Math.max(1, ...ratios));
  // Rounded first: 1.1 is a little more than eleven steps of 0.1.
  return Math.ceil(Number((highest / step).toFixed(6))) * step;
}

type ModelCall = NonNullable<AssistantMessage['modelCalls']>[number];

/** The last requests of a conversation to a model. */
function callsOf(messages: Records['messages'], model: string): ModelCall[] {
  const calls: ModelCall[] = [];
  for (let at = messages.length - 1; at >= 0 && calls.length < lastCalls; at -= 1) {
    const message = messages[at];
    if (message?.role === 'assistant' && message.model === model) {
      calls.unshift(...(message.modelCalls ?? []));
    }
  }
  return calls.slice(-lastCalls);
}
