import type { ModelMessage } from '../models/model.ts';

export interface Added {
  /** How many messages are those of the request before, or of turns before. */
  earlier: number;
  messages: ModelMessage[];
}

/** What a request of an answer has that the one before had not. */
export function addedTo(
  before: readonly ModelMessage[] | undefined,
  messages: readonly ModelMessage[],
  isCompacted: boolean,
): Added {
  return before ? addedSince(before, messages) : addedFirst(messages, isCompacted);
}

/** Of the first one of a turn: the user's message, and what stands in place of messages that were left out. */
function addedFirst(messages: readonly ModelMessage[], isCompacted: boolean): Added {
  const at = Math.max(
    0,
    messages.findLastIndex(({ role }) => role === 'user'),
  );
  const head = isCompacted && at > 0 ? messages.slice(0, 1) : [];
  return { earlier: at - head.length, messages: [...head, ...messages.slice(at)] };
}

function addedSince(before: readonly ModelMessage[], messages: readonly ModelMessage[]): Added {
  let same = 0;
  while (same < messages.length && isSame(messages[same], before[same])) {
    same += 1;
  }
  if (same === before.length) {
    return { earlier: same, messages: messages.slice(same) };
  }
  // Something was taken out in between.
  const known = new Set(before.map(keyOf));
  const added = messages.filter((message) => !known.has(keyOf(message)));
  return { earlier: messages.length - added.length, messages: added };
}

function isSame(one: ModelMessage | undefined, other: ModelMessage | undefined): boolean {
  return (
    one !== undefined &&
    other !== undefined &&
    one.role === other.role &&
    one.content === other.content &&
    (one.role !== 'assistant' ||
      other.role !== 'assistant' ||
      one.toolCalls.length === other.toolCalls.length)
  );
}

function keyOf({ role, content }: ModelMessage): string {
  return `${role}\n${content}`;
}
