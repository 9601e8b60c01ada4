import type { TurnObserver } from '../chat/observe-turn.ts';
import type { Log } from '../lib/log.ts';
import type { TelemetrySettings } from './telemetry-settings.ts';

/**
 * Traces and metrics. As long as nobody wants them, nothing of OpenTelemetry is loaded and nothing is counted.
 */
export interface Telemetry {
  observeTurn: TurnObserver;
  /** Undefined while nobody wants to know. */
  observeRequest(request: BegunRequest): ObservedRequest | undefined;
  /**
   * All metrics as Prometheus reads them. Counting begins with the first call, where nothing is set that begins
   * it with the start.
   */
  readMetrics(): Promise<string>;
  /** Sends what has not been sent, for two seconds at most. */
  close(): Promise<void>;
}

export interface BegunRequest {
  /** The header. */
  traceparent: string | undefined;
  method: string;
  isSecure: boolean;
  /** Whether it gets a span, not only a place in the metrics. */
  isTraced: boolean;
}

export interface ObservedRequest {
  /** What is a part of it names this as its parent, as in the header of W3C Trace Context. */
  traceparent?: string;
  /**
   * @param route as the contract writes it, with the names of its parameters
   * @param status undefined when there was no answer
   * @param denied the code of the problem that denied access
   */
  end(answer: {
    route: string | undefined;
    status: number | undefined;
    denied: string | undefined;
  }): void;
}

/** What is looked at when metrics are read. */
export interface Gauges {
  runningTurns(): number;
  skills(): { loaded: number; disabled: number; broken: number };
  /** How long the skills took to be read at the start; undefined while they are being read. */
  scanSeconds(): number | undefined;
}

export interface TelemetryParts {
  settings: TelemetrySettings;
  version: string;
  gauges: Gauges;
  log: Log;
}

/** The same, once it is loaded. */
export interface Running {
  observeTurn: TurnObserver;
  observeRequest: (request: BegunRequest) => ObservedRequest;
  readMetrics(): Promise<string>;
  /** Never rejects. */
  close(): Promise<void>;
}
