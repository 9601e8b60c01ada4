import { useEffect, useState } from 'react';

/** The embedding page, as reported by `embed.js`. */
export interface Host {
  /** Whether it can close the chat. */
  canClose: boolean;
  /** How often the chat has been opened there. */
  openings: number;
  close: () => void;
}

/** Announces the chat to the embedding page, learns when it is opened, and closes it on Escape. */
export function useHost(): Host {
  const [canClose, setCanClose] = useState(false);
  const [openings, setOpenings] = useState(0);

  useEffect(() => {
    if (window.parent === window) {
      return;
    }
    function onMessage({ source, data }: MessageEvent) {
      if (source === window.parent && data?.knowhow === 'opened') {
        setCanClose(data.canClose === true);
        setOpenings((before) => before + Number(data.canClose === true));
      }
    }
    window.addEventListener('message', onMessage);
    postToHost('ready');
    return () => window.removeEventListener('message', onMessage);
  }, []);

  useEffect(() => {
    function onKeyDown(event: KeyboardEvent) {
      const isFree =
        !event.defaultPrevented &&
        !document.querySelector('[role="dialog"], [role="menu"], [role="listbox"]');
      if (event.key === 'Escape' && isFree && canClose) {
        postToHost('close');
      }
    }
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, [canClose]);

  return { canClose, openings, close: () => postToHost('close') };
}

/** Contains no user data, so any page may receive it: only allowed origins can show the frame. */
function postToHost(what: 'ready' | 'close'): void {
  window.parent.postMessage({ knowhow: what }, '*');
}
