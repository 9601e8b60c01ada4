import type { TurnEvents } from './turn-events.ts';

interface Kept {
  owner: string;
  events: TurnEvents;
}

/** Whose connection broke near the end of an answer comes back for the rest. */
const keptMs = 60_000;
/** Of turns that are over, also for readers who are behind; what is forgotten is read from the conversation. */
const maxCharacters = 16_000_000;

export type KeptEvents = ReturnType<typeof createEventBuffer>;

/** The events of turns by conversation, while they run and for a minute after. */
export function createEventBuffer() {
  const kept = new Map<string, Kept>();
  /** Those that are over, and where they are kept; the oldest first. */
  const over = new Map<Kept, string>();
  let characters = 0;

  const forget = (each: Kept) => {
    const conversationId = over.get(each);
    if (conversationId === undefined) {
      return;
    }
    over.delete(each);
    characters -= each.events.size;
    each.events.forget();
    if (kept.get(conversationId) === each) {
      kept.delete(conversationId);
    }
  };
  return {
    find: (conversationId: string) => kept.get(conversationId),
    /** Gives what is called when the turn is over. */
    add: (conversationId: string, each: Kept) => {
      kept.set(conversationId, each);
      return () => {
        over.set(each, conversationId);
        characters += each.events.size;
        setTimeout(() => forget(each), keptMs).unref();
        for (const oldest of over.keys()) {
          if (characters <= maxCharacters) {
            return;
          }
          forget(oldest);
        }
      };
    },
  };
}
