import { problem } from '@knowhow/shared/problem';
import type { Request } from 'express';
import { shareRoom } from '../lib/share-room.ts';
import { whoAsks } from './rate-limit.ts';
import { readerGone, whenGone } from './when-gone.ts';

/** Under way or waiting, of one user or, when anonymous, of one address. */
const mostOfOne = 8;
const mostWaiting = 100;
const retryAfter = 2;

/** Runs a search when its turn comes; the signal says that its reader has gone. */
export type InSearchTurn = <Result>(
  request: Request,
  search: (gone: AbortSignal) => Promise<Result>,
) => Promise<Result>;

/**
 * One search at a time, in the order of asking: each leaves the event loop free in between, many at once
 * would not. Nobody takes more than a few places in the queue, and none is kept for a reader who has gone.
 */
export function limitSearches(): InSearchTurn {
  const room = shareRoom(1, mostWaiting);
  const open = new Map<string, number>();
  return async (request, search) => {
    const gone = whenGone(request);
    const leaveOwn = countOwn(open, whoAsks(request));
    try {
      const leave = await room.take(1, gone);
      if (!leave) {
        throw problem('not-ready', 'Too many search at once. Try again in a moment.', {
          retryAfter,
        });
      }
      return await search(gone).finally(leave);
    } catch (error) {
      throw gone.aborted ? readerGone(error) : error;
    } finally {
      leaveOwn();
    }
  };
}

/** Gives what counts it off again. */
function countOwn(open: Map<string, number>, who: string): () => void {
  const own = open.get(who) ?? 0;
  if (own >= mostOfOne) {
    throw problem(
      'too-many-requests',
      `${own} searches are under way for you. Wait for one to end.`,
      { retryAfter },
    );
  }
  open.set(who, own + 1);
  return () => {
    const left = (open.get(who) ?? 1) - 1;
    if (left > 0) {
      open.set(who, left);
    } else {
      open.delete(who);
    }
  };
}
