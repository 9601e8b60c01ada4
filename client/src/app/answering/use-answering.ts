import { useTurnPhase, useTurnRunner } from '../../features/turn/turn-context.ts';
import type { ConversationFacts } from '../../features/turn/use-conversation.ts';

interface AnsweringOptions {
  conversationId: string;
  conversation: ConversationFacts | undefined;
  appId: string | undefined;
  onError: (error: unknown) => void;
}

/** Whether the conversation or its comparison is being answered, and a function that stops both. */
export function useAnswering({ conversationId, conversation, appId, onError }: AnsweringOptions) {
  const runner = useTurnRunner();
  const phase = useTurnPhase(conversationId);
  const comparisonId = conversation?.beside ?? '';
  const isWritten = phase !== 'idle' || conversation?.isBeingWritten === true;
  const isComparing = useTurnPhase(comparisonId) !== 'idle';
  const ids = [...(isWritten ? [conversationId] : []), ...(isComparing ? [comparisonId] : [])];
  return {
    busy: ids.length > 0,
    stopping: phase === 'stopping',
    stop: () => {
      for (const id of appId === undefined ? [] : ids) {
        runner.stop(appId ?? '', id).catch(onError);
      }
    },
  };
}
