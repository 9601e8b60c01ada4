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

/** The state of a conversation's turn, if this page follows one. */
export function useTurnPhase(conversationId: string): TurnPhase {
  const runner = useTurnRunner();
  return useSyncExternalStore(runner.subscribe, () => runner.phaseOf(conversationId));
}

/** Whether the connection to a conversation's turn is lost and being restored. */
export function useIsReconnecting(conversationId: string): boolean {
  const runner = useTurnRunner();
  return useSyncExternalStore(runner.subscribe, () => runner.isAway(conversationId));
}

/** IDs of the conversations with a running turn. */
export function useRunningConversations(): ReadonlySet<string> {
  const runner = useTurnRunner();
  return useSyncExternalStore(runner.subscribe, runner.running);
}
