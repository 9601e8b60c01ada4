import { type Problem, problem } from '@knowhow/shared/problem';
import type { Contents } from '../content/index.ts';
import type { TurnSink } from './events/turn-sink.ts';

/** Time limits of a turn in minutes; 0 means no limit. */
export interface TurnLimits {
  /** Without output from the model, except while it waits for the user. */
  idleMinutes: number;
  /** Without any subscriber. */
  unreadMinutes: number;
}

/** The limits of `platform.json`. @param turnIdleMinutes the default of the environment */
export function getTurnLimits({ platform }: Contents, turnIdleMinutes: number): TurnLimits {
  const { idleMinutes = turnIdleMinutes, unreadMinutes } = platform.turns;
  return { idleMinutes, unreadMinutes };
}

const checkMs = 1000;
const minuteMs = 60_000;

/**
 * Checks once a second whether a turn exceeds a limit. Returns a function that stops the checks.
 *
 * @param onReached called with the problem that explains it
 */
export function watchLimits(
  events: Pick<TurnSink, 'count' | 'unreadFor' | 'isSuspended'>,
  limits: () => TurnLimits,
  onReached: (why: Problem) => void,
): () => void {
  let count = events.count;
  let lastEventAt = performance.now();
  const timer = setInterval(() => {
    const now = performance.now();
    if (events.count !== count || events.isSuspended) {
      count = events.count;
      lastEventAt = now;
    }
    const { idleMinutes, unreadMinutes } = limits();
    if (isReached(now - lastEventAt, idleMinutes)) {
      const minutes = `${idleMinutes} ${idleMinutes === 1 ? 'minute' : 'minutes'}`;
      onReached(
        problem('model-interrupted', `The model has sent nothing for ${minutes}. Try again.`),
      );
    } else if (isReached(events.unreadFor(), unreadMinutes)) {
      onReached(
        problem(
          'turn-unread',
          'The answer was stopped because no client was connected. Try again.',
        ),
      );
    }
  }, checkMs);
  return () => clearInterval(timer);
}

function isReached(ms: number, minutes: number): boolean {
  return minutes > 0 && ms >= minutes * minuteMs;
}
