import type { Message } from '@knowhow/shared/chat/conversations';
import { type RefObject, useContext, useEffect } from 'react';
import { useLocation } from 'react-router';
import { loadCode } from '../../ui/loading/load-code.ts';
import { ThreadStateContext } from './thread-state.ts';

interface Jumping {
  /** Undefined while they are loaded. */
  messages: readonly Message[] | undefined;
  scroller: RefObject<HTMLElement | null>;
  /** Called before the view moves, which stays there then. */
  onLeave: () => void;
}

/**
 * Brings the message that the address names behind `#` into view, each time somebody goes there. Where it is in
 * another version of the conversation, that one is shown. Gives that message's id, or nothing.
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
      loadCode(() => import('./jump-to.ts'))
        .then(({ jumpTo }) => jumpTo(wanted))
        // The conversation is there all the same.
        .catch(() => undefined);
    }
    return () => leaving.abort();
  }, [key, isThere]);
  return id;
}
