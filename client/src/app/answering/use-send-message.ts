import { useQueryClient } from '@tanstack/react-query';
import { use, useEffect, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { mayBeSessionExpired, refetchUser } from '../../features/account/use-me.ts';
import type { Draft } from '../../features/composer/use-draft.ts';
import { useTurnRunner } from '../../features/turn/turn-context.ts';
import type { TurnOutcome } from '../../features/turn/turn-runner.ts';
import { ConversationCreatedContext } from './conversation-created-context.ts';
import type { Choices } from './use-choices.ts';
import { useStartComparison } from './use-start-comparison.ts';

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
export function useSendMessage({ conversationId, isFresh, choices, skillsOff, onRun }: RunOptions) {
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
