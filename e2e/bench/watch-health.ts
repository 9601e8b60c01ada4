import { setTimeout as wait } from 'node:timers/promises';
import type { Knowhow } from '../start-knowhow.ts';

const betweenMs = 20;

/**
 * Asks for `/api/health` again and again, until `end` is called. It resolves with the longest request, in
 * milliseconds.
 */
export function watchHealth({ url }: Knowhow): { end(): Promise<number> } {
  let isOver = false;
  let longest = 0;
  const watching = (async () => {
    while (!isOver) {
      const asked = performance.now();
      await (await fetch(`${url}/api/health`)).arrayBuffer();
      longest = Math.max(longest, performance.now() - asked);
      await wait(betweenMs);
    }
  })();
  return {
    end: async () => {
      isOver = true;
      await watching;
      return longest;
    },
  };
}
