import { type Conversation, conversationsApi } from '@knowhow/shared/chat/conversations';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../api/call.ts';
import { useErrorToast } from '../../ui/text/use-error-toast.ts';
import { conversationQuery } from './conversation-query.ts';

/** Returns a function that deactivates a skill in a conversation. */
export function useEndSkill(conversationId: string): (name: string) => void {
  const queryClient = useQueryClient();
  const showError = useErrorToast();
  const { queryKey } = conversationQuery(conversationId);
  const { mutate } = useMutation({
    mutationFn: (name: string) =>
      call(conversationsApi.endSkill, { params: { id: conversationId, name } }),
    onSuccess: (_, name) =>
      queryClient.setQueryData<Conversation>(
        queryKey,
        (known) => known && removeSkill(known, name),
      ),
    onError: showError,
  });
  return mutate;
}

function removeSkill(conversation: Conversation, name: string): Conversation {
  const activeSkills = conversation.activeSkills.filter((skill) => skill.name !== name);
  return { ...conversation, activeSkills };
}
