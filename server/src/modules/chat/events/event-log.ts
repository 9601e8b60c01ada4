import type { ChatEvent } from '@knowhow/shared/chat/chat';
import { eventFrame, textFrame } from '../../../platform/lib/event-frame.ts';

/** The events of a turn, numbered from 1. Consecutive text is stored once, regardless of the number of events. */
export interface EventLog {
  /** Number of the last event; 0 before the first. */
  readonly count: number;
  /** Characters stored. */
  readonly size: number;
  /** Adds an event and returns a function that renders its SSE frame. */
  add(event: ChatEvent): () => string;
  /**
   * The SSE frame that follows event number `known`: one event, or several text events merged under the number of the
   * last. Undefined at the end.
   */
  after(known: number): { frames: string; last: number } | undefined;
  /** Drops all events but keeps the count. */
  clear(): void;
}

interface Single {
  last: number;
  frame: string;
}

/** Consecutive text events. */
interface Run {
  type: 'chunk' | 'thinking';
  first: number;
  last: number;
  text: string;
  /** Offsets in the text at which the events end. */
  ends: number[];
}

/** Maximum characters of merged text events. */
const maxMergedCharacters = 32 * 1024;

export function createEventLog(): EventLog {
  const entries: (Single | Run)[] = [];
  let count = 0;
  let size = 0;
  return {
    get count() {
      return count;
    },
    get size() {
      return size;
    },
    add: (event) => {
      count += 1;
      const number = count;
      if (event.type === 'chunk' || event.type === 'thinking') {
        const { type, content } = event;
        size += content.length;
        addText(entries, number, event);
        return () => textFrame(number, type, content);
      }
      const frame = eventFrame(number, event);
      size += frame.length;
      entries.push({ last: number, frame });
      return () => frame;
    },
    after: (known) => {
      const entry = entries.find(({ last }) => last > known);
      return entry && ('frame' in entry ? singleFrame(entry) : mergedFrame(entry, known));
    },
    clear: () => {
      entries.length = 0;
    },
  };
}

function addText(
  entries: (Single | Run)[],
  number: number,
  { type, content }: { type: Run['type']; content: string },
): void {
  const open = entries.at(-1);
  if (open && 'ends' in open && open.type === type) {
    open.text += content;
    open.ends.push(open.text.length);
    open.last = number;
    return;
  }
  entries.push({ type, first: number, last: number, text: content, ends: [content.length] });
}

function singleFrame({ frame, last }: Single) {
  return { frames: frame, last };
}

function mergedFrame({ type, first, text, ends }: Run, known: number) {
  const skipped = Math.max(0, known - first + 1);
  const start = skipped === 0 ? 0 : (ends[skipped - 1] ?? 0);
  let end = skipped;
  while (end + 1 < ends.length && (ends[end + 1] ?? 0) - start <= maxMergedCharacters) {
    end += 1;
  }
  const last = first + end;
  return { frames: textFrame(last, type, text.slice(start, ends[end])), last };
}
