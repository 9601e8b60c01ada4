import { maxFilesAttached } from '@knowhow/shared/chat/attachments';
import { maxSkillsPicked } from '@knowhow/shared/chat/chat';
import type { Message } from '@knowhow/shared/chat/conversations';
import { isTemporary } from '@knowhow/shared/chat/is-temporary';
import { useQueryClient } from '@tanstack/react-query';
import { use, useEffect, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { mayBeSessionExpired, refetchUser } from '../../features/account/use-me.ts';
import { useAttachments } from '../../features/composer/attachments/use-attachments.ts';
import { type Draft, emptyDraft, newDraft, useDraft } from '../../features/composer/use-draft.ts';
import { isSendable } from '../../features/composer/use-send.ts';
import { conversationQuery } from '../../features/turn/conversation-query.ts';
import { useTurnPhase, useTurnRunner } from '../../features/turn/turn-context.ts';
import type { TurnOutcome } from '../../features/turn/turn-runner.ts';
import type { ConversationFacts } from '../../features/turn/use-conversation.ts';
import { useEndSkill } from '../../features/turn/use-end-skill.ts';
import { ConversationCreatedContext } from './conversation-created-context.ts';
import type { Choices } from './use-choices.ts';
import { useStartComparison } from './use-start-comparison.ts';
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

interface AnsweringOptions {
  conversationId: string;
  conversation: ConversationFacts | undefined;
  appId: string | undefined;
  onError: (error: unknown) => void;
}

/** Whether the conversation or its comparison is being answered, and a function that stops both. */
function useAnswering({ conversationId, conversation, appId, onError }: AnsweringOptions) {
  const runner = useTurnRunner();
  const phase = useTurnPhase(conversationId);
  const comparisonId = conversation?.comparison ?? '';
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

interface WaitingOptions {
  conversationId: string;
  /** Whether the last answer is complete, so that another message can be sent. */
  isNext: boolean;
  run: (message: Draft) => Promise<TurnOutcome | undefined>;
}

/**
 * The message that is queued until the answer is complete. Like a draft, it survives a reload. After a failed or
 * stopped answer, or if it is refused, it stays until the user sends it.
 */
function useQueuedMessage({ conversationId, isNext, run }: WaitingOptions) {
  const { draft: message, change } = useDraft(`waiting:${conversationId}`);
  const [isRefused, setRefused] = useState(false);
  const isWaiting = isSendable(message);

  async function send() {
    change(emptyDraft);
    const outcome = await run(message);
    if (!outcome?.sent) {
      setRefused(true);
      change(message);
    }
  }

  useEffect(() => {
    if (isWaiting && isNext && !isRefused) {
      void send();
    }
  });

  return {
    /** Undefined if nothing is queued. */
    message: isWaiting ? message : undefined,
    /** Appends a message to the queued one; false if the result would be too long. */
    add: (added: Draft) => {
      const next = isWaiting ? joinDrafts(message, added) : added;
      if (!fitsOneMessage(next)) {
        return false;
      }
      setRefused(false);
      change(next);
      return true;
    },
    /** Removes the queued message and returns it. */
    take: () => {
      change(emptyDraft);
      return message;
    },
    send: () => void send(),
  };
}

function joinDrafts(one: Draft, other: Draft): Draft {
  return {
    text: [one.text, other.text].filter((text) => text !== '').join('\n\n'),
    skills: [...new Set([...one.skills, ...other.skills])],
    skillsOff: other.skillsOff ?? one.skillsOff,
    attachments: [...(one.attachments ?? []), ...(other.attachments ?? [])],
  };
}

function fitsOneMessage(message: Draft): boolean {
  const { skills, attachments = [] } = message;
  return (
    isSendable(message) &&
    skills.length <= maxSkillsPicked &&
    attachments.length <= maxFilesAttached
  );
}

interface RunOptions {
  conversationId: string;
  isFresh: boolean;
  choices: Choices;
  /** Names of the skills that are switched off in the conversation; unchanged if omitted. */
  skillsOff: string[] | undefined;
  /** Called when a message is sent. */
  onRun: () => void;
}

/** Returns a function that sends a message and follows its answer, and the error if the last one was not sent. */
function useSendMessage({ conversationId, isFresh, choices, skillsOff, onRun }: RunOptions) {
  const runner = useTurnRunner();
  const goThere = useAddress(conversationId, isFresh);
  const [failure, setFailure] = useState<unknown>();
  useSessionRecheck(failure);
  const { app, model, second, rememberApp } = choices;
  const beginSecond = useStartComparison(conversationId, setFailure);

  async function run(
    message: Draft,
    more: { replaces?: string; model?: string } = {},
  ): Promise<TurnOutcome | undefined> {
    if (!app || !model) {
      return undefined;
    }
    setFailure(undefined);
    onRun();
    rememberApp(app.id);
    const { text, ...choice } = { skillsOff, ...message };
    const target = { appId: app.id, conversationId, model: model.id, ...more };
    const outcome = await runner.start({ ...target, ...choice, message: text }, () => {
      goThere();
      if (second !== undefined && more.model === undefined) {
        beginSecond(second);
      }
    });
    setFailure(outcome.sent ? undefined : outcome.error);
    return outcome;
  }

  return { run, failure, setFailure };
}

/** Rechecks the session if a refusal may be caused by an expired one. */
function useSessionRecheck(failure: unknown): void {
  const queryClient = useQueryClient();
  useEffect(() => {
    if (mayBeSessionExpired(failure)) {
      refetchUser(queryClient);
    }
  }, [failure, queryClient]);
}

/** Navigates to a new conversation's URL once the server knows it, if it is still on screen. */
function useAddress(conversationId: string, isFresh: boolean): () => void {
  const navigate = useNavigate();
  const onBegun = use(ConversationCreatedContext);
  const isShown = useRef(false);
  useEffect(() => {
    isShown.current = true;
    return () => {
      isShown.current = false;
    };
  }, []);
  return () => {
    if (isFresh && isShown.current) {
      if (onBegun) {
        onBegun();
      } else {
        void navigate(`/c/${conversationId}`, { replace: true });
      }
    }
  };
}
