import type { TurnEnd } from '@knowhow/shared/chat/chat';
import type { Log } from '../../platform/lib/log.ts';
import type { PreparedTurn } from './prepare-turn.ts';

export interface EndedTurn {
  turn: PreparedTurn;
  at: number;
  ms: number;
  last: TurnEnd;
}

/**
 * Called when a turn begins. The returned function is called with the end, just before the final event is sent. It
 * must be quick, because it delays the answer.
 */
export type TurnObserver = (turn: PreparedTurn) => (ended: EndedTurn) => void;

/** Calls the observers of a turn. An observer that throws affects neither the turn nor the others. */
export function observeTurn(
  turn: PreparedTurn,
  observers: readonly TurnObserver[],
  log: Log,
): (last: TurnEnd) => void {
  const at = Date.now();
  const began = performance.now();
  const runSafely = <Result>(run: () => Result): Result[] => {
    try {
      return [run()];
    } catch (error) {
      log.error({ error }, 'a turn could not be observed');
      return [];
    }
  };
  const endObservers = observers.flatMap((observer) => runSafely(() => observer(turn)));
  return (last) => {
    const ended = { turn, at, ms: performance.now() - began, last };
    for (const observeEnd of endObservers) {
      runSafely(() => observeEnd(ended));
    }
    runSafely(() => logSteps(log, ended));
  };
}

/** Logs each request to a model and each tool call of a turn at `debug`: names, durations and counts, no text. */
function logSteps(log: Log, { turn, ms, last }: EndedTurn): void {
  for (const step of turn.steps) {
    if (step.type === 'model') {
      const { purpose, config, firstMs, usage, stop, error } = step;
      const asked = { purpose, provider: config.provider, modelId: config.modelId };
      const took = { ms: Math.round(step.ms), firstMs, usage, stop };
      log.debug({ ...asked, ...took, error }, 'model request');
    } else {
      const { name, source, isError } = step;
      log.debug({ tool: name, source, ms: Math.round(step.ms), isError }, 'tool call');
    }
  }
  log.debug({ ms: Math.round(ms), outcome: last.type }, 'turn ended');
}
