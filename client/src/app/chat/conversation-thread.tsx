import { isTemporary } from '@knowhow/shared/chat/is-temporary';
import type { Model } from '@knowhow/shared/config/models';
import { type ComponentProps, Suspense, useMemo, useRef, useState } from 'react';
import { useMe } from '../../features/account/use-me.ts';
import { Thread } from '../../features/messages/thread.tsx';
import {
  type BranchSwitchTarget,
  ThreadStateContext,
} from '../../features/messages/thread-state.ts';
import { useIsReconnecting } from '../../features/turn/turn-context.ts';
import { useMessages } from '../../features/turn/use-conversation.ts';
import { useGiveFeedback } from '../../features/turn/use-give-feedback.ts';
import { useSwitchBranch } from '../../features/turn/use-switch-branch.ts';
import { lazyPart } from '../../ui/loading/lazy-part.tsx';
import { useErrorToast } from '../../ui/text/use-error-toast.ts';
import { useStableCallbacks } from '../../ui/use-stable-callbacks.ts';
import { useStartComparison } from '../answering/use-start-comparison.ts';
import { OwnPromptsPart } from '../frame/own-prompts-part.ts';

const SecondAnswer = lazyPart(
  async () => (await import('../answering/second-answer.tsx')).ComparisonAnswer,
);

interface ConversationThreadProps
  extends Omit<ComponentProps<typeof Thread>, 'messages' | 'isAway' | 'onFeedback'> {
  conversationId: string;
  isFresh: boolean;
  /** Whether the chat is embedded in another site. */
  isFramed: boolean;
  /** The models available for a retry. */
  models: readonly Model[];
  /** ID of the comparison answer to the last question. */
  second: string | undefined;
  focusComposer: () => void;
}

/** The messages of a conversation: the only part of the page that re-renders while an answer streams. */
export function ConversationThread(props: ConversationThreadProps) {
  const {
    conversationId,
    isFresh,
    isFramed,
    models: offered,
    second,
    focusComposer,
    ...rest
  } = props;
  const messages = useMessages(conversationId);
  const isAway = useIsReconnecting(conversationId);
  const onFeedback = useGiveFeedback(conversationId);
  const { moved, ...changing } = useSwitchBranch<BranchSwitchTarget>(conversationId);
  const { onMove } = useStableCallbacks(changing);
  const { busy, modelName, hasTraces, onTrace } = rest;
  const stable = useStableCallbacks({
    focusComposer,
    onBeside: useStartComparison(conversationId, useErrorToast()),
  });
  const canKeep = useMe().data?.anonymous === false;
  const [kept, setKept] = useState<string>();
  const latest = useRef(messages);
  latest.current = messages;
  const maySuggest = canKeep && !isFramed;
  const isTemporaryChat = isTemporary(conversationId);
  // Stable across renders: thousands of messages depend on it at each keystroke.
  const state = useMemo(() => {
    const free = offered.filter(({ needs }) => needs === undefined);
    const models = free.map(({ id }) => ({ id, name: modelName(id) }));
    const onKeep = canKeep ? setKept : undefined;
    const shown = maySuggest ? latest : undefined;
    return {
      ...{ busy, models, moved, onMove, onKeep, shown },
      isTemporary: isTemporaryChat,
      ...stable,
    };
  }, [offered, busy, modelName, moved, onMove, stable, canKeep, maySuggest, isTemporaryChat]);
  const question = messages?.findLast(({ role }) => role === 'user')?.id ?? '';
  const last = messages?.at(-1);
  const model = last?.role === 'assistant' ? last.model : '';
  const comparison = useMemo(
    () =>
      second !== undefined && (
        <SecondAnswer
          key={second}
          {...{ conversationId, id: second, question, model, modelName }}
          onTrace={hasTraces ? onTrace : undefined}
        />
      ),
    [conversationId, second, question, model, modelName, hasTraces, onTrace],
  );
  const shown = messages ?? (isFresh ? [] : undefined);
  return (
    <ThreadStateContext value={state}>
      <Thread
        {...rest}
        conversationId={conversationId}
        messages={shown}
        isAway={isAway}
        onFeedback={onFeedback}
        comparison={comparison}
      />
      {kept !== undefined && (
        <Suspense>
          <OwnPromptsPart text={kept} onClose={() => setKept(undefined)} />
        </Suspense>
      )}
    </ThreadStateContext>
  );
}
