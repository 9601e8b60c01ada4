import { type Conversation, conversationsApi } from '@knowhow/shared/chat/conversations';
import type { Feedback } from '@knowhow/shared/chat/feedback';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../api/call.ts';
import { useErrorToast } from '../../ui/text/use-error-toast.ts';
import { conversationQuery } from './conversation-query.ts';

interface Given {
  /** ID of the answer. */
  id: string;
  feedback: Feedback | undefined;
}

/** Returns a function that stores a rating, optimistically, with rollback on failure. */
export function useGiveFeedback(
  conversationId: string,
): (id: string, feedback: Feedback | undefined) => void {
  const queryClient = useQueryClient();
  const showError = useErrorToast();
  const { queryKey } = conversationQuery(conversationId);
  const show = (given: Given) =>
    queryClient.setQueryData<Conversation>(
      queryKey,
      (known) => known && withFeedback(known, given),
    );
  const { mutate } = useMutation({
    // Sequential: the last click wins.
    scope: { id: `feedback ${conversationId}` },
    mutationFn: ({ id, feedback }: Given) =>
      call(conversationsApi.giveFeedback, { params: { id }, body: feedback ?? { value: null } }),
    onMutate: (given) => {
      const former = getFeedback(queryClient.getQueryData<Conversation>(queryKey), given.id);
      show(given);
      return { id: given.id, feedback: former };
    },
    onError: (error, _, former) => {
      if (former) {
        show(former);
      }
      showError(error);
    },
  });
  return (id, feedback) => mutate({ id, feedback });
}

function getFeedback(conversation: Conversation | undefined, id: string): Feedback | undefined {
  const answer = conversation?.messages.find((message) => message.id === id);
  return answer?.role === 'assistant' ? answer.feedback : undefined;
}

function withFeedback(conversation: Conversation, { id, feedback }: Given): Conversation {
  const messages = conversation.messages.map((message) =>
    message.id === id && message.role === 'assistant' ? { ...message, feedback } : message,
  );
  return { ...conversation, messages };
}
