import type { Message } from '@knowhow/shared/chat/conversations';
import { type RefObject, useContext, useEffect } from 'react';
import { useLocation } from 'react-router';
import { loadChunk } from '../../ui/loading/load-chunk.ts';
import { ThreadStateContext } from './thread-state.ts';

interface Jumping {
  /** Undefined while loading. */
  messages: readonly Message[] | undefined;
  scroller: RefObject<HTMLElement | null>;
  /** Called before the view moves; it then stays there. */
  onLeave: () => void;
}

/**
 * Scrolls to the message in the URL fragment at each navigation. If it is in another branch, switches to that
 * branch. Returns the message's ID, if any.
 */
export function useJump({ messages, scroller, onLeave }: Jumping): string {
  const { hash, key, state } = useLocation();
  const { onMove } = useContext(ThreadStateContext);
  const id = hash.slice(1);
  const isThere = messages && id !== '' && messages.some((message) => message.id === id);

  // biome-ignore lint/correctness/useExhaustiveDependencies: only on arrival, and once it is there
  useEffect(() => {
    if (isThere === false && id !== '') {
      onMove({ to: id, by: 'before' });
    }
    const leaving = new AbortController();
    if (isThere) {
      const wanted = { id, words: state?.words ?? [], scroller, onLeave, signal: leaving.signal };
      loadChunk(() => import('./jump-to.ts'))
        .then(({ jumpTo }) => jumpTo(wanted))
        // The conversation is usable all the same.
        .catch(() => undefined);
    }
    return () => leaving.abort();
  }, [key, isThere]);
  return id;
}
