import type { JsonLimits } from '../json-meter.ts';
import { OutboundRefused } from './outbound-rules.ts';

/** Times are in milliseconds. */
export interface OutboundLimits {
  connectMs: number;
  /** Until response headers arrive, for each request. */
  firstByteMs: number;
  /** Total timeout. */
  totalMs: number;
  /** After decompression (zip bomb). */
  maxBytes: number;
  /** JSON limits of a body that a library will parse, whatever its content type. */
  json?: Omit<JsonLimits, 'maxBytes'>;
  maxRedirects: number;
  /**
   * Whether event streams are allowed: no total timeout, and body limits, including `json`, apply
   * per event.
   */
  streams: boolean;
  /** Called when a body exceeds a limit, since libraries may swallow the error. */
  onExceeded?: (refused: OutboundRefused) => void;
  /** Called before each request, including redirects; throwing aborts it. */
  checkAddress?: (url: URL) => void;
}

/** Aborts a request on behalf of the caller or by timeout. */
export interface OutboundWatch {
  signal: AbortSignal;
  expectHeaders(host: string): void;
  gotHeaders(): void;
  /** Disables the total timeout. */
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
