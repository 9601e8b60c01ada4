import { type KeyboardEvent, useState } from 'react';
import { isComposing } from './is-composing.ts';

interface ListKeysOptions {
  /** The list's content; when it changes, the first option becomes active. */
  subject: string;
  count: number;
  onChoose: (index: number) => void;
  /** Whether Tab selects, too. */
  tab?: boolean;
}

/**
 * Keyboard navigation of a list box while the focus stays in its text field: arrows wrap around, Home and End go
 * to the ends, Enter selects. `onKeyDown` returns whether it has handled the key.
 */
export function useListKeys({ subject, count, onChoose, tab = false }: ListKeysOptions) {
  const [wanted, setWanted] = useState({ subject, index: 0 });
  const active = wanted.subject === subject ? Math.min(wanted.index, count - 1) : 0;
  const setActive = (index: number) => setWanted({ subject, index });

  function onKeyDown(event: KeyboardEvent): boolean {
    if (count === 0 || isComposing(event) || event.shiftKey) {
      return false;
    }
    const target = getTargetIndex(event.key, active, count);
    if (target !== undefined) {
      setActive(target);
    } else if (event.key === 'Enter' || (tab && event.key === 'Tab')) {
      onChoose(active);
    } else {
      return false;
    }
    event.preventDefault();
    return true;
  }

  return { active, setActive, onKeyDown };
}

function getTargetIndex(key: string, active: number, count: number): number | undefined {
  switch (key) {
    case 'ArrowDown':
      return (active + 1) % count;
    case 'ArrowUp':
      return (active - 1 + count) % count;
    case 'Home':
      return 0;
    case 'End':
      return count - 1;
    default:
      return undefined;
  }
}
