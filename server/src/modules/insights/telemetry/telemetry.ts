import type { Log } from '../../../platform/lib/log.ts';
import type { TurnObserver } from '../../chat/index.ts';
import type { TelemetrySettings } from './telemetry-settings.ts';

/** Traces and metrics. OpenTelemetry is only loaded if they are used. */
export interface Telemetry {
  observeTurn: TurnObserver;
  /** Undefined unless metrics or traces are in use. */
  observeRequest(request: BegunRequest): ObservedRequest | undefined;
  /** Undefined if nothing is being measured. */
  readMetrics(): Promise<string>;
  /** Flushes pending data for up to two seconds. */
  close(): Promise<void>;
}

export interface BegunRequest {
  /** The `traceparent` header. */
  traceparent: string | undefined;
  method: string;
  isSecure: boolean;
  /** Whether it gets a span, in addition to metrics. */
  isTraced: boolean;
}

export interface ObservedRequest {
  /** Parent for child spans, as a W3C Trace Context `traceparent` header. */
  traceparent?: string;
  /**
   * @param route as in the contract, with parameter names
   * @param status undefined if there was no response
   * @param denied code of the problem that denied access
   */
  end(answer: {
    route: string | undefined;
    status: number | undefined;
    denied: string | undefined;
  }): void;
}

/** Values that are read on demand. */
export interface Gauges {
  runningTurns(): number;
  skills(): { loaded: number; disabled: number; broken: number };
  /** Duration of the initial skill scan; undefined until it is complete. */
  scanSeconds(): number | undefined;
}

export interface TelemetryParts {
  settings: TelemetrySettings;
  version: string;
  gauges: Gauges;
  log: Log;
}

/** Telemetry once the SDK is loaded. */
export interface Running {
  observeTurn: TurnObserver;
  observeRequest: (request: BegunRequest) => ObservedRequest;
  readMetrics(): Promise<string>;
  /** Never rejects. */
  close(): Promise<void>;
}
