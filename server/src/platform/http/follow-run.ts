import type { StreamEndpoint } from '@knowhow/shared/endpoint';
import type { Request } from 'express';
import type { z } from 'zod';
import { eventFrame } from '../lib/event-frame.ts';
import { ignore } from '../lib/ignore.ts';
import { holdSlotUntil } from './limit-streams.ts';
import { endOnAccessLoss } from './route.ts';
import type { Follow } from './stream.ts';

/** Work that sends events until it has ended or the signal is aborted. */
type Run<Event> = (signal: AbortSignal, send: (event: Event) => void) => Promise<unknown>;

/**
 * Sends the events of work that runs only as long as its client listens and keeps its access. The stream counts as open
 * until the work has ended.
 *
 * @param run handles its own errors
 */
export function followRun<E extends StreamEndpoint>(
  request: Request,
  endpoint: E,
  run: Run<z.input<E['event']> & { type: string }>,
): Follow {
  return (reader) => {
    const controller = new AbortController();
    const { signal } = controller;
    let number = 0;
    const ended = run(signal, (event) => {
      if (!signal.aborted) {
        number += 1;
        reader.take(Buffer.from(eventFrame(number, event)));
      }
    });
    endOnAccessLoss(endpoint, request);
    holdSlotUntil(request, ended);
    ended.finally(reader.end).catch(ignore);
    return { resume: () => undefined, unsubscribe: () => controller.abort() };
  };
}
