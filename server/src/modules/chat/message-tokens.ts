import { countTokens } from '@knowhow/shared/count-tokens';
import type { ModelMessage, ModelRequest } from '../models/index.ts';

/** Overhead tokens per message: role and delimiters. */
const perMessage = 6;
export const perImage = 1600;

/** Estimated tokens of the system prompt and tools. All functions here estimate. */
export function countPromptTokens({
  system,
  tools,
}: Pick<ModelRequest, 'system' | 'tools'>): number {
  return countTokens(system) + countTokens(JSON.stringify(tools));
}

export function sumMessageTokens(messages: readonly ModelMessage[]): number {
  return messages.reduce((sum, message) => sum + countMessageTokens(message), 0);
}

export function countMessageTokens(message: ModelMessage): number {
  const own = perMessage + countTokens(message.content);
  switch (message.role) {
    case 'user':
      return own + perImage * (message.images?.length ?? 0);
    case 'assistant':
      return (
        own +
        (message.toolCalls.length > 0 ? countTokens(JSON.stringify(message.toolCalls)) : 0) +
        (message.vendorState === undefined ? 0 : countTokens(JSON.stringify(message.vendorState)))
      );
    case 'tool':
      return own + perMessage + perImage * (message.images?.length ?? 0);
  }
}
