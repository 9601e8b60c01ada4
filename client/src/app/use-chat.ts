import type { Message } from '@knowhow/shared/conversations';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { askWhoThisIs, mayBeSignedOut } from '../features/account/use-me.ts';
import { useAttachments } from '../features/composer/attachments/use-attachments.ts';
import { type Draft, emptyDraft, newDraft, useDraft } from '../features/composer/use-draft.ts';
import { conversationQuery } from '../features/turn/conversation-query.ts';
import { useTurnPhase, useTurnRunner } from '../features/turn/turn-context.ts';
import type { TurnOutcome } from '../features/turn/turn-runner.ts';
import type { ConversationFacts } from '../features/turn/use-conversation.ts';
import { useEndSkill } from '../features/turn/use-end-skill.ts';
import type { Choices } from './use-choices.ts';
import { useWhenReady } from './use-when-ready.ts';

type Question = Extract<Message, { role: 'user' }>;

interface ChatOptions {
  conversationId: string;
  isFresh: boolean;
  conversation: ConversationFacts | undefined;
  choices: Choices;
}

/** What can be done in a conversation: send, stop, try again, change, end a skill. */
export function useChat({ conversationId, isFresh, conversation, choices }: ChatOptions) {
  const runner = useTurnRunner();
  const phase = useTurnPhase(conversationId);
  const questionOf = useQuestions(conversationId);
  const goThere = useAddress(conversationId, isFresh);
  const { giveBack, ...writing } = useWriting(isFresh ? newDraft : conversationId);
  const { draft, change } = writing;
  const [editing, setEditing] = useState<{ id: string; text: string }>();
  const [failure, setFailure] = useState<unknown>();
  useDoubtOfSession(failure);
  const { app, model, rememberApp } = choices;

  async function run(message: Draft, replaces?: string): Promise<TurnOutcome | undefined> {
    if (!app || !model) {
      return undefined;
    }
    setFailure(undefined);
    setEditing(undefined);
    rememberApp(app.id);
    const { text, ...choice } = { skillsOff: draft.skillsOff, ...message };
    const target = { appId: app.id, conversationId, model: model.id };
    const outcome = await runner.start({ ...target, ...choice, message: text, replaces }, goThere);
    setFailure(outcome.sent ? undefined : outcome.error);
    return outcome;
  }

  // Whoever is quicker than the list of models need not press Enter twice.
  const send = useWhenReady(app !== undefined && model !== undefined, sendNow);

  async function sendNow({ message, rest = emptyDraft }: { message: Draft; rest?: Draft }) {
    change(rest);
    const outcome = await run(message);
    if (!outcome?.sent) {
      giveBack(message);
    }
  }

  async function resend(id: string, text: string) {
    const outcome = await run({ ...draftOf(questionOf(id)), text }, id);
    if (!outcome?.sent) {
      setEditing({ id, text });
    }
  }

  async function retry() {
    const last = questionOf();
    if (last) {
      await run(draftOf(last), last.id);
    }
  }

  return {
    ...writing,
    editing,
    failure,
    busy: phase !== 'idle' || conversation?.isBeingWritten === true,
    stopping: phase === 'stopping',
    send: (message: Draft) => send({ message }),
    /** Sends a suggestion with the chosen skills; what is being written stays. */
    suggest: (text: string) =>
      send({ message: { ...draft, text }, rest: { text: draft.text, skills: [] } }),
    resend,
    retry,
    endSkill: useEndSkill(conversationId),
    stop: () => app && runner.stop(app.id, conversationId).catch(setFailure),
    edit: (id: string) => setEditing({ id, text: questionOf(id)?.content ?? '' }),
    cancelEdit: () => setEditing(undefined),
  };
}

/** What is being written, with its files. */
function useWriting(key: string) {
  const { update, ...rest } = useDraft(key);
  return { ...rest, attachments: useAttachments(rest.draft, update) };
}

/** A message as it was sent. */
function draftOf(question: Question | undefined): Draft {
  const { content: text = '', skills = [], attachments } = question ?? {};
  return { text, skills, attachments };
}

/** Asks who this is when a refusal may come of a session that has ended. */
function useDoubtOfSession(failure: unknown): void {
  const queryClient = useQueryClient();
  useEffect(() => {
    if (mayBeSignedOut(failure)) {
      askWhoThisIs(queryClient);
    }
  }, [failure, queryClient]);
}

/** Gives a new conversation its address once the server knows it, if it is still looked at then. */
function useAddress(conversationId: string, isFresh: boolean): () => void {
  const navigate = useNavigate();
  const isShown = useRef(false);
  useEffect(() => {
    isShown.current = true;
    return () => {
      isShown.current = false;
    };
  }, []);
  return () => {
    if (isFresh && isShown.current) {
      navigate(`/c/${conversationId}`, { replace: true });
    }
  };
}

/** Gives the user's message of an id, or the last one, as they are when it is called. */
function useQuestions(conversationId: string) {
  const queryClient = useQueryClient();
  return (id?: string) =>
    queryClient
      .getQueryData(conversationQuery(conversationId).queryKey)
      ?.messages.filter((message) => message.role === 'user')
      .findLast((question) => id === undefined || question.id === id);
}
