import type { ConversationSummary } from '@knowhow/shared/chat/conversations';
import { type DragEvent, type KeyboardEvent, useState } from 'react';

/** Drag data type in selection mode: the IDs, separated by spaces. */
export const draggedType = 'application/x-knowhow-conversations';

type Chosen = ReadonlyMap<string, ConversationSummary>;

/** Conversations that are selected to be moved or deleted together. */
export interface Selection {
  /** By ID; undefined outside selection mode. */
  chosen: Chosen | undefined;
  /** The one with which the selection started. */
  first: string | undefined;
  begin: (conversation: ConversationSummary) => void;
  toggle: (conversation: ConversationSummary) => void;
  end: () => void;
  /** Drags the whole selection if this one belongs to it, otherwise only this one. */
  drag: (conversation: ConversationSummary, event: DragEvent) => void;
  /** Escape ends selection mode, but does not close the surrounding drawer. */
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
