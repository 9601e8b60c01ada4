import type { ChatEvent } from '@knowhow/shared/chat/chat';
import type { Log } from '../lib/log.ts';
import type { PreparedTurn } from './prepare-turn.ts';

export interface EndedTurn {
  turn: PreparedTurn;
  at: number;
  ms: number;
  last: ChatEvent;
}

/**
 * Called with each turn that begins; what it gives, with its end, just before the last event goes out.
 * Must not take long: whoever waits for the answer waits for it.
 */
export type TurnObserver = (turn: PreparedTurn) => (ended: EndedTurn) => void;

/** Calls the observers of a turn; one that throws disturbs neither the turn nor the others. */
export function observeTurn(
  turn: PreparedTurn,
  observers: readonly TurnObserver[],
  log: Log,
): (last: ChatEvent) => void {
  const at = Date.now();
  const began = performance.now();
  const careful = <Result>(run: () => Result): Result[] => {
    try {
      return [run()];
    } catch (error) {
      log.error({ error }, 'a turn could not be observed');
      return [];
    }
  };
  const followers = observers.flatMap((observer) => careful(() => observer(turn)));
  return (last) => {
    const ended = { turn, at, ms: performance.now() - began, last };
    for (const follow of followers) {
      careful(() => follow(ended));
    }
  };
}
