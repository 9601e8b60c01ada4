import type { JsonLimits } from '../json-meter.ts';
import { OutboundRefused } from './outbound-rules.ts';

/** Times are milliseconds. */
export interface OutboundLimits {
  connectMs: number;
  /** From sending to the first line of each answer. */
  firstByteMs: number;
  /** For all of it. */
  totalMs: number;
  /** Of a body as it is read, after decompression. */
  maxBytes: number;
  /** Limits of a body that a library parses as JSON, whatever its content type is. */
  json?: Omit<JsonLimits, 'maxBytes'>;
  maxRedirects: number;
  /** Whether streams of events are wanted: they may go on, and each event has the limits of a body, also of `json`. */
  streams: boolean;
  /** Called where a body exceeds a limit: a library may drop the reason. */
  onExceeded?: (refused: OutboundRefused) => void;
  /** Called for each address before it is asked, also after a redirect; what it throws ends the request. */
  checkAddress?: (url: URL) => void;
}

/** Ends a request by its signal: for whoever asked, or by a limit of time. */
export interface OutboundWatch {
  signal: AbortSignal;
  expectHeaders(host: string): void;
  gotHeaders(): void;
  /** No limit holds for the whole any more. */
  mayGoOn(): void;
  end(): void;
}

export function watchOutbound(
  { firstByteMs, totalMs }: OutboundLimits,
  caller: AbortSignal | null | undefined,
  host: string,
): OutboundWatch {
  const controller = new AbortController();
  const stop = () => controller.abort(caller?.reason);
  const after = (ms: number, text: string) =>
    setTimeout(() => controller.abort(new OutboundRefused('time', text)), ms);
  const total = after(totalMs, `${host} took longer than ${seconds(totalMs)}.`);
  let first: NodeJS.Timeout | undefined;
  if (caller?.aborted) {
    stop();
  }
  caller?.addEventListener('abort', stop);
  return {
    signal: controller.signal,
    expectHeaders: (asked) => {
      clearTimeout(first);
      first = after(firstByteMs, `${asked} has not answered within ${seconds(firstByteMs)}.`);
    },
    gotHeaders: () => clearTimeout(first),
    mayGoOn: () => clearTimeout(total),
    end: () => {
      clearTimeout(first);
      clearTimeout(total);
      caller?.removeEventListener('abort', stop);
    },
  };
}

function seconds(ms: number): string {
  return `${ms / 1000} seconds`;
}
