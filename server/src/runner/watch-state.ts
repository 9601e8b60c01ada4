import { ignore } from '../lib/ignore.ts';

/** What is elsewhere, and is there or not. */
export interface WatchedState<State> {
  /** Undefined while it is away. */
  now(): State | undefined;
  /** Says what was seen on the way. */
  set(now: State | undefined): void;
  /** Asks how it is; undefined when it does not say. Never throws. */
  look(): Promise<State | undefined>;
  /** Called each time it is there again after it was away, and the first time. */
  onBack(listener: () => void): void;
  close(): void;
}

/** From one look at what is away to the next; ten times as long while it is there. */
const everyMs = 3000;

/** Looks again and again, less often while all is well. */
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
  const look = async () => {
    set(await ask().catch(() => undefined));
    plan();
    return state;
  };
  const plan = () => {
    clearTimeout(timer);
    if (!isClosed) {
      const lookAgain = () => {
        look().catch(ignore);
      };
      timer = setTimeout(lookAgain, state ? everyMs * 10 : everyMs);
      timer.unref();
    }
  };
  return {
    set,
    look,
    now: () => state,
    onBack: (listener) => {
      listeners.push(listener);
    },
    close: () => {
      isClosed = true;
      clearTimeout(timer);
    },
  };
}
