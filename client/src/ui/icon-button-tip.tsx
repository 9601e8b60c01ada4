import { Tooltip } from '@mantine/core';
import { useEffect, useState } from 'react';

/** Hover delay of the tooltip, in ms. */
const patience = 500;

interface IconButtonTipProps {
  label: string;
  target: HTMLElement;
}

/** The tooltip of a button, on hover or keyboard focus. */
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
    // The pointer was already there before this was loaded.
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
