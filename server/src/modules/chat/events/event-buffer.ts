import type { TurnEvents } from './turn-events.ts';

interface BufferedTurn {
  owner: string;
  events: TurnEvents;
}

/** Grace period in which a client can reconnect to a turn that has ended. */
const retentionMs = 60_000;
/**
 * Maximum size of the events of ended turns, including those for lagging subscribers. Evicted turns are read from the
 * conversation.
 */
const maxCharacters = 16_000_000;

export type EventBuffer = ReturnType<typeof createEventBuffer>;

/** Buffers the events of turns by conversation, while they run and for one minute after. */
export function createEventBuffer() {
  const turns = new Map<string, BufferedTurn>();
  /** Ended turns with their conversation IDs, oldest first, for eviction. */
  const ended = new Map<BufferedTurn, string>();
  let characters = 0;

  const evict = (turn: BufferedTurn) => {
    const conversationId = ended.get(turn);
    if (conversationId === undefined) {
      return;
    }
    ended.delete(turn);
    characters -= turn.events.size;
    turn.events.forget();
    if (turns.get(conversationId) === turn) {
      turns.delete(conversationId);
    }
  };
  return {
    find: (conversationId: string) => turns.get(conversationId),
    /** Returns a function to call when the turn ends. */
    add: (conversationId: string, turn: BufferedTurn) => {
      turns.set(conversationId, turn);
      return () => {
        ended.set(turn, conversationId);
        characters += turn.events.size;
        setTimeout(() => evict(turn), retentionMs).unref();
        for (const oldest of ended.keys()) {
          if (characters <= maxCharacters) {
            return;
          }
          evict(oldest);
        }
      };
    },
  };
}
