import type { ChatEvent } from '@knowhow/shared/chat/chat';
import { type Following, followTurn, isLast, isTransient, type TurnPlace } from './follow-turn.ts';
import { frameBatch } from './frame-batch.ts';
import { pause } from './pause.ts';
import type { TurnCache } from './turn-cache.ts';

/** Seconds between two looks at an answer of which no events are to be had: at most two. */
const mostFailures = 2;

/**
 * Reads the unfinished answer of a conversation to its end, from an event on, into the cache. What the server
 * cannot tell event by event is loaded, again and again until it is finished. Gives the last event, where one
 * came. Throws what the server refuses for good.
 */
export async function readTurn(
  conversationId: string,
  from: number,
  { cache, ...following }: Following & { cache: TurnCache },
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
      await pause(Math.min(looks, mostFailures), following.signal);
    }
  }
}

/** Gives the last event that came. */
async function readEvents(
  place: TurnPlace,
  cache: TurnCache,
  following: Following,
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

/** Loads the conversation as soon as the server can be reached. */
async function load(cache: TurnCache, { signal, onAway }: Following): Promise<void> {
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
    await pause(failures, signal);
  }
}
