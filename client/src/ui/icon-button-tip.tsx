import { Tooltip } from '@mantine/core';
import { useEffect, useState } from 'react';

/** How long the pointer rests on a button before its name is shown, in ms. */
const patience = 500;

interface IconButtonTipProps {
  label: string;
  target: HTMLElement;
}

/** The name of a button, while a mouse rests on it or a key has brought the focus there. */
export function IconButtonTip({ label, target }: IconButtonTipProps) {
  const isOpen = useIsWanted(target);
  return <Tooltip opened={isOpen} target={target} label={label} fz="xs" withArrow={false} />;
}

function useIsWanted(target: HTMLElement): boolean {
  const [isWanted, setIsWanted] = useState(false);
  useEffect(() => {
    const listening = new AbortController();
    const { signal } = listening;
    let timer: ReturnType<typeof setTimeout> | undefined;

    function close() {
      clearTimeout(timer);
      setIsWanted(false);
    }
    function look() {
      clearTimeout(timer);
      timer = setTimeout(() => setIsWanted(target.matches(':hover')), patience);
    }
    function lookAtFocus() {
      if (target.matches(':focus-visible')) {
        setIsWanted(true);
      }
    }

    target.addEventListener('pointerenter', (event) => event.pointerType === 'mouse' && look(), {
      signal,
    });
    target.addEventListener('focus', lookAtFocus, { signal });
    target.addEventListener('pointerleave', close, { signal });
    target.addEventListener('blur', close, { signal });
    document.addEventListener('keydown', (event) => event.key === 'Escape' && close(), { signal });
    // It was pointed at before this was loaded.
    lookAtFocus();
    if (matchMedia('(hover: hover)').matches) {
      look();
    }
    return () => {
      listening.abort();
      clearTimeout(timer);
    };
  }, [target]);
  return isWanted;
}
