import { useSyncExternalStore } from 'react';

/** Whether the page is being printed or previewed for printing. */
export function useIsPrinted(): boolean {
  return useSyncExternalStore(subscribe, () => matchMedia('print').matches);
}

function subscribe(listener: () => void): () => void {
  const media = matchMedia('print');
  media.addEventListener('change', listener);
  return () => media.removeEventListener('change', listener);
}
