import { createContext, useContext, useSyncExternalStore } from 'react';
import type { TurnPhase, TurnRunner } from './turn-runner.ts';

export const TurnContext = createContext<TurnRunner | undefined>(undefined);

export function useTurnRunner(): TurnRunner {
  const runner = useContext(TurnContext);
  if (!runner) {
    throw new Error('TurnContext is missing above this component.');
  }
  return runner;
}

/** How far the turn of a conversation is, as far as this page follows one. */
export function useTurnPhase(conversationId: string): TurnPhase {
  const runner = useTurnRunner();
  return useSyncExternalStore(runner.subscribe, () => runner.phaseOf(conversationId));
}

/** Whether the connection to the turn of a conversation is lost, and tried again. */
export function useIsReconnecting(conversationId: string): boolean {
  const runner = useTurnRunner();
  return useSyncExternalStore(runner.subscribe, () => runner.isAway(conversationId));
}

/** Ids of the conversations with a running turn. */
export function useRunningConversations(): ReadonlySet<string> {
  const runner = useTurnRunner();
  return useSyncExternalStore(runner.subscribe, runner.running);
}
