import { ignore } from '../../../platform/lib/ignore.ts';

/** Monitors a remote service that may be unavailable. */
export interface WatchedState<State> {
  /** Undefined while unavailable. */
  now(): State | undefined;
  /** Updates the state from other requests. */
  set(now: State | undefined): void;
  /** Checks the state; undefined if it does not answer. Never throws. */
  check(): Promise<State | undefined>;
  /** Called whenever it becomes available, including the first time. */
  onAvailable(listener: () => void): void;
  close(): void;
}

/** Interval while unavailable; ten times as long while available. */
const pollMs = 3000;

/** Polls a service, less often while it is available. */
export function watchState<State>(ask: () => Promise<State>): WatchedState<State> {
  let state: State | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;
  const listeners: (() => void)[] = [];
  const set = (now: State | undefined) => {
    const isBack = state === undefined && now !== undefined;
    const isGone = state !== undefined && now === undefined;
    state = now;
    if (isGone) {
      plan();
    }
    for (const listener of isBack ? listeners : []) {
      listener();
    }
  };
  const check = async () => {
    set(await ask().catch(() => undefined));
    plan();
    return state;
  };
  const plan = () => {
    clearTimeout(timer);
    if (!isClosed) {
      const checkAgain = () => {
        check().catch(ignore);
      };
      timer = setTimeout(checkAgain, state ? pollMs * 10 : pollMs);
      timer.unref();
    }
  };
  return {
    set,
    check,
    now: () => state,
    onAvailable: (listener) => {
      listeners.push(listener);
    },
    close: () => {
      isClosed = true;
      clearTimeout(timer);
    },
  };
}
