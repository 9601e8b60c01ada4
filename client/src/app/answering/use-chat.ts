import type { Message } from '@knowhow/shared/chat/conversations';
import { isTemporary } from '@knowhow/shared/chat/is-temporary';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useAttachments } from '../../features/composer/attachments/use-attachments.ts';
import { type Draft, emptyDraft, newDraft, useDraft } from '../../features/composer/use-draft.ts';
import { conversationQuery } from '../../features/turn/conversation-query.ts';
import type { ConversationFacts } from '../../features/turn/use-conversation.ts';
import { useEndSkill } from '../../features/turn/use-end-skill.ts';
import { useAnswering } from './use-answering.ts';
import type { Choices } from './use-choices.ts';
import { useQueuedMessage } from './use-queued-message.ts';
import { useSendMessage } from './use-send-message.ts';
import { useDeferredCall } from './use-when-ready.ts';

type Question = Extract<Message, { role: 'user' }>;

interface ChatOptions {
  conversationId: string;
  isFresh: boolean;
  conversation: ConversationFacts | undefined;
  choices: Choices;
}

/** The actions of a conversation: send, stop, retry, edit, deactivate a skill. */
export function useChat({ conversationId, isFresh, conversation, choices }: ChatOptions) {
  const questionOf = useQuestions(conversationId);
  const { giveBack, ...writing } = useWriting(conversationId, isFresh);
  const { draft, change } = writing;
  const [editing, setEditing] = useState<{ id: string; text: string }>();
  const { app, model } = choices;
  const { run, failure, setFailure } = useSendMessage({
    conversationId,
    isFresh,
    choices,
    skillsOff: draft.skillsOff,
    onRun: () => setEditing(undefined),
  });

  // Sends as soon as the list of models has loaded, so that a fast user need not press Enter twice.
  const send = useDeferredCall(
    app !== undefined && model !== undefined,
    (sent: Parameters<typeof sendNow>[0]) => void sendNow(sent),
  );

  const answering = useAnswering({
    ...{ conversationId, conversation, appId: app?.id },
    onError: setFailure,
  });
  const { busy } = answering;
  const isNext = !busy && conversation?.isAnswered === true && model !== undefined;
  const waiting = useQueuedMessage({ conversationId, isNext, run });

  async function sendNow({ message, rest = emptyDraft }: { message: Draft; rest?: Draft }) {
    change(rest);
    const outcome = await run(message);
    if (!outcome?.sent) {
      giveBack(message);
    }
  }

  async function resend(id: string, text: string) {
    const outcome = await run({ ...toDraft(questionOf(id)), text }, { replaces: id });
    if (!outcome?.sent) {
      setEditing({ id, text });
    }
  }

  async function retry(answer?: string, model?: string) {
    const question = questionOf(answer, 'answer');
    if (question) {
      await run(toDraft(question), { replaces: question.id, ...(model ? { model } : {}) });
    }
  }

  return {
    ...writing,
    editing,
    failure,
    ...answering,
    waiting,
    /** Edits the queued message. */
    editWaiting: () => giveBack(waiting.take()),
    /** While an answer is being written, the message is queued. */
    send: (message: Draft) =>
      busy ? waiting.add(message) && change(emptyDraft) : send({ message }),
    /** Sends a suggestion with the chosen skills; the draft is kept. */
    suggest: (text: string) =>
      send({ message: { ...draft, text }, rest: { text: draft.text, skills: [] } }),
    resend,
    retry,
    /** Asks the model to continue the last answer. */
    goOn: (text: string) => void run({ text, skills: [] }),
    endSkill: useEndSkill(conversationId),
    edit: (id: string) => setEditing({ id, text: questionOf(id)?.content ?? '' }),
    cancelEdit: () => setEditing(undefined),
  };
}

/** The draft, with its files. */
function useWriting(conversationId: string, isFresh: boolean) {
  const isOfPage = isTemporary(conversationId);
  const { update, ...rest } = useDraft(isFresh && !isOfPage ? newDraft : conversationId);
  return { ...rest, attachments: useAttachments(rest.draft, update, isOfPage) };
}

/** A message as it was sent. */
function toDraft(question: Question | undefined): Draft {
  const { content: text = '', skills = [], attachments } = question ?? {};
  return { text, skills, attachments };
}

/** Looks up a user message by ID, before an answer, or the last one, at the time of the call. */
function useQuestions(conversationId: string) {
  const queryClient = useQueryClient();
  return (id?: string, of: 'question' | 'answer' = 'question'): Question | undefined => {
    const { messages = [] } =
      queryClient.getQueryData(conversationQuery(conversationId).queryKey) ?? {};
    const at = messages.findIndex((message) => message.id === id);
    const until = at < 0 ? messages : messages.slice(0, of === 'answer' ? at : at + 1);
    return id !== undefined && at < 0
      ? undefined
      : until.findLast((message) => message.role === 'user');
  };
}
