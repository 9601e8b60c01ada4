import { type Problem, problem } from '@knowhow/shared/problem';
import type { TurnEvents } from './events/turn-events.ts';

/** After how many minutes a turn is ended; 0: never. */
export interface TurnLimits {
  /** Without anything from the model, while nobody is waited for. */
  idleMinutes: number;
  /** In which nobody has followed it. */
  unreadMinutes: number;
}

const everyMs = 1000;
const minuteMs = 60_000;

/**
 * Looks once a second whether a turn may go on, until the answer is called.
 *
 * @param onReached called with the problem that says why not
 */
export function watchLimits(
  events: Pick<TurnEvents, 'count' | 'unreadFor' | 'isSuspended'>,
  limits: () => TurnLimits,
  onReached: (why: Problem) => void,
): () => void {
  let count = events.count;
  let heardAt = performance.now();
  const timer = setInterval(() => {
    const now = performance.now();
    if (events.count !== count || events.isSuspended) {
      count = events.count;
      heardAt = now;
    }
    const { idleMinutes, unreadMinutes } = limits();
    if (isReached(now - heardAt, idleMinutes)) {
      const minutes = `${idleMinutes} ${idleMinutes === 1 ? 'minute' : 'minutes'}`;
      onReached(
        problem('model-interrupted', `The model has said nothing for ${minutes}. Try again.`),
      );
    } else if (isReached(events.unreadFor(), unreadMinutes)) {
      onReached(problem('turn-unread', 'Nobody was reading this answer any more. Try again.'));
    }
  }, everyMs);
  return () => clearInterval(timer);
}

function isReached(ms: number, minutes: number): boolean {
  return minutes > 0 && ms >= minutes * minuteMs;
}
