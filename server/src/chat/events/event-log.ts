import type { ChatEvent } from '@knowhow/shared/chat/chat';
import { eventFrame, textFrame } from '../../lib/event-frame.ts';

/** The events of a turn, numbered from 1. Text is kept once, however many events brought it. */
export interface EventLog {
  /** The number of the last event; 0 before the first. */
  readonly count: number;
  /** Characters it holds. */
  readonly size: number;
  /** Gives the event as it is sent. */
  add(event: ChatEvent): () => string;
  /**
   * What follows an event, as it is sent: one event, or several of text made one, under the number of the
   * last of them. Undefined at the end.
   */
  after(known: number): { frames: string; last: number } | undefined;
  /** Forgets all events, not their number. */
  clear(): void;
}

interface Single {
  last: number;
  frame: string;
}

/** Events of text one after the other. */
interface Run {
  type: 'chunk' | 'thinking';
  first: number;
  last: number;
  text: string;
  /** Where in the text each of the events ends. */
  ends: number[];
}

/** Characters of text that are made one event. */
const maxPiece = 32 * 1024;

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
      return entry && ('frame' in entry ? whole(entry) : piece(entry, known));
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

function whole({ frame, last }: Single) {
  return { frames: frame, last };
}

function piece({ type, first, text, ends }: Run, known: number) {
  const skipped = Math.max(0, known - first + 1);
  const start = skipped === 0 ? 0 : (ends[skipped - 1] ?? 0);
  let end = skipped;
  while (end + 1 < ends.length && (ends[end + 1] ?? 0) - start <= maxPiece) {
    end += 1;
  }
  const last = first + end;
  return { frames: textFrame(last, type, text.slice(start, ends[end])), last };
}
