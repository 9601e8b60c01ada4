import type { ConversationSummary } from '@knowhow/shared/chat/conversations';
import { type DragEvent, type KeyboardEvent, useState } from 'react';

/** Of what is dragged while conversations are chosen: their ids, with spaces. */
export const draggedType = 'application/x-knowhow-conversations';

type Chosen = ReadonlyMap<string, ConversationSummary>;

/** Conversations that are chosen to be moved or deleted together. */
export interface Selection {
  /** By their ids; undefined while nothing is being chosen. */
  chosen: Chosen | undefined;
  /** The one it began with. */
  first: string | undefined;
  begin: (conversation: ConversationSummary) => void;
  toggle: (conversation: ConversationSummary) => void;
  end: () => void;
  /** Drags all that are chosen where this one is among them, else it alone. */
  drag: (conversation: ConversationSummary, event: DragEvent) => void;
  /** Escape ends it, and not the drawer around the list. */
  onKeyDown: (event: KeyboardEvent) => void;
}

export function useSelection(): Selection {
  const [state, setState] = useState<{ first: string; chosen: Chosen }>();
  return {
    chosen: state?.chosen,
    first: state?.first,
    begin: (one) => setState({ first: one.id, chosen: new Map([[one.id, one]]) }),
    toggle: (one) =>
      setState((now) => {
        const chosen = new Map(now?.chosen);
        if (!chosen.delete(one.id)) {
          chosen.set(one.id, one);
        }
        return now && { ...now, chosen };
      }),
    end: () => setState(undefined),
    drag: (one, { dataTransfer }) => {
      const all = state?.chosen.has(one.id) ? [...state.chosen.keys()] : [one.id];
      dataTransfer.setData(draggedType, all.join(' '));
    },
    onKeyDown: (event) => {
      if (event.key === 'Escape' && state) {
        event.stopPropagation();
        setState(undefined);
      }
    },
  };
}
