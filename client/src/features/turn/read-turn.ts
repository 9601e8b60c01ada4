import type { ChatEvent } from '@knowhow/shared/chat/chat';
import { backOff } from './back-off.ts';
import {
  type FollowOptions,
  followTurn,
  isLast,
  isTransient,
  type TurnPosition,
} from './follow-turn.ts';
import { frameBatch } from './frame-batch.ts';
import type { TurnCache } from './turn-cache.ts';

/** Maximum polling interval in seconds for an answer without events. */
const mostFailures = 2;

/**
 * Reads the unfinished answer of a conversation into the cache, from an event to its end. Without events, polls
 * the server until the answer is finished. Returns the last event, if any. Throws permanent refusals.
 */
export async function readTurn(
  conversationId: string,
  from: number,
  { cache, ...following }: FollowOptions & { cache: TurnCache },
): Promise<ChatEvent | undefined> {
  let after = from;
  for (let looks = 0; ; looks += 1) {
    const answer = cache.runningAnswer()?.id;
    if (answer === undefined) {
      return undefined;
    }
    const last = await readEvents({ conversationId, answer, after }, cache, following);
    if (last && isLast(last)) {
      return last;
    }
    after = 0;
    await load(cache, following);
    if (cache.runningAnswer()) {
      await backOff(Math.min(looks, mostFailures), following.signal);
    }
  }
}

/** Returns the last event. */
async function readEvents(
  place: TurnPosition,
  cache: TurnCache,
  following: FollowOptions,
): Promise<ChatEvent | undefined> {
  const batch = frameBatch<ChatEvent>((events) => cache.apply(events));
  let last: ChatEvent | undefined;
  try {
    for await (const event of followTurn(place, following)) {
      batch.push(event);
      last = event;
    }
  } finally {
    batch.flush();
  }
  return last;
}

/** Reloads the conversation as soon as the server is reachable. */
async function load(cache: TurnCache, { signal, onAway }: FollowOptions): Promise<void> {
  for (let failures = 0; ; failures += 1) {
    try {
      await cache.load();
      signal.throwIfAborted();
      onAway(false);
      return;
    } catch (error) {
      if (signal.aborted || !isTransient(error)) {
        throw error;
      }
      onAway(true);
    }
    await backOff(failures, signal);
  }
}
