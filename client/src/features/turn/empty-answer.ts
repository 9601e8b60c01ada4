import type { AssistantMessage } from '@knowhow/shared/chat/conversations';

/** An answer without any content yet. */
export function emptyAnswer(id: string, model: string): Omit<AssistantMessage, 'createdAt'> {
  return {
    role: 'assistant',
    id,
    content: '',
    thinking: '',
    model,
    status: 'running',
    activations: [],
    ended: [],
    toolCalls: [],
  };
}
