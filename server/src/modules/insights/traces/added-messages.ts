import type { ModelMessage } from '../../models/model.ts';

export interface Added {
  /** Number of messages already contained in an earlier request or turn. */
  earlier: number;
  messages: ModelMessage[];
}

/** Messages that a request adds to the previous one. */
export function findAddedMessages(
  before: readonly ModelMessage[] | undefined,
  messages: readonly ModelMessage[],
  isCompacted: boolean,
): Added {
  return before ? addedAfter(before, messages) : firstAdded(messages, isCompacted);
}

/** For a turn's first request: the user's message, and the replacement of dropped messages. */
function firstAdded(messages: readonly ModelMessage[], isCompacted: boolean): Added {
  const at = Math.max(
    0,
    messages.findLastIndex(({ role }) => role === 'user'),
  );
  const head = isCompacted && at > 0 ? messages.slice(0, 1) : [];
  return { earlier: at - head.length, messages: [...head, ...messages.slice(at)] };
}

function addedAfter(before: readonly ModelMessage[], messages: readonly ModelMessage[]): Added {
  let common = 0;
  while (common < messages.length && isSame(messages[common], before[common])) {
    common += 1;
  }
  if (common === before.length) {
    return { earlier: common, messages: messages.slice(common) };
  }
  // Something was removed in between, so messages are compared individually.
  const known = new Set(before.map(getKey));
  const added = messages.filter((message) => !known.has(getKey(message)));
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

function getKey({ role, content }: ModelMessage): string {
  return `${role}\n${content}`;
}
