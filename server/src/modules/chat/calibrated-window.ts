import type { AssistantMessage } from '@knowhow/shared/chat/conversations';
import { defaultContextWindow } from '@knowhow/shared/config/models';
import type { Records } from '../conversations/index.ts';
import type { TurnAccess } from './turn-access.ts';
import { allocateWindow, type Window } from './window.ts';

/** Number of recent requests considered; older ones say little about the current content. */
const maxCalls = 8;
/**
 * Minimum share of the window. Vendors add a fixed overhead to each request, which would distort the ratio of small
 * ones.
 */
const minShare = 1 / 16;
const maxCorrection = 2;
/** Coarse steps: each change of the correction can invalidate the provider's prompt cache. */
const step = 0.1;

/** The context window's budgets in a conversation, corrected by the token counts that the provider reported. */
export function calibratedWindow(records: Pick<Records, 'messages'>, access: TurnAccess): Window {
  const { config } = access.model;
  const { contextWindow = defaultContextWindow } = config;
  return allocateWindow(config, access.app, getCorrection(records, config.id, contextWindow));
}

/**
 * Ratio of the provider's token counts to our estimates in this conversation, from 1 to 2. Never below 1, because
 * some servers report only uncached tokens.
 *
 * @param contextWindow of the model, in tokens
 */
function getCorrection(
  { messages }: Pick<Records, 'messages'>,
  model: string,
  contextWindow: number,
): number {
  const minTokens = contextWindow * minShare;
  const ratios = findRecentCalls(messages, model).map(
    ({ inputTokens, estimated }) => inputTokens / Math.max(estimated, minTokens),
  );
  const highest = Math.min(maxCorrection, Math.max(1, ...ratios));
  // Rounds first, because 1.1 / 0.1 is slightly more than 11 in floating point.
  return Math.ceil(Number((highest / step).toFixed(6))) * step;
}

type ModelCall = NonNullable<AssistantMessage['modelCalls']>[number];

/** The last requests of a conversation to a model. */
function findRecentCalls(messages: Records['messages'], model: string): ModelCall[] {
  const calls: ModelCall[] = [];
  for (let at = messages.length - 1; at >= 0 && calls.length < maxCalls; at -= 1) {
    const message = messages[at];
    if (message?.role === 'assistant' && message.model === model) {
      calls.unshift(...(message.modelCalls ?? []));
    }
  }
  return calls.slice(-maxCalls);
}
