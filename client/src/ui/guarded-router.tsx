import { createContext, type ReactNode, useState, useSyncExternalStore } from 'react';
import {
  createPath,
  type Location,
  type Navigator,
  type Path,
  parsePath,
  Router,
  type To,
} from 'react-router';

/** How pages block navigation. */
export const HistoryContext = createContext<GuardedHistory | undefined>(undefined);

/** `BrowserRouter` with a blockable history. */
export function GuardedRouter({ children }: { children: ReactNode }) {
  const [history] = useState(() => new GuardedHistory());
  const location = useSyncExternalStore(history.listen, history.location);
  return (
    <HistoryContext value={history}>
      {/* As transitions, navigations would wait until an answer has streamed. */}
      <Router navigator={history} location={location} useTransitions={false}>
        {children}
      </Router>
    </HistoryContext>
  );
}

/** Called instead of a navigation to another page, with a function that performs it after all. */
type OnLeave = (leave: () => void) => void;

/** The browser history for `Router`, which a page with unsaved changes can block. */
class GuardedHistory implements Navigator {
  #guard: OnLeave | undefined;
  #onMove: (() => void) | undefined;
  #index = indexOfEntry() ?? numberEntry(0);
  #location = readLocation();

  /** The current location; the same object until a navigation. */
  location = () => this.#location;

  /** Subscribes the only listener to navigations; returns an unsubscribe function. */
  listen = (onMove: () => void): (() => void) => {
    const onPopState = () => this.#stepped();
    this.#onMove = onMove;
    window.addEventListener('popstate', onPopState);
    return () => {
      this.#onMove = undefined;
      window.removeEventListener('popstate', onPopState);
    };
  };

  /** Blocks links, redirects, back and forward; returns a function that unblocks. */
  guard(onLeave: OnLeave): () => void {
    this.#guard = onLeave;
    return () => {
      this.#guard = this.#guard === onLeave ? undefined : this.#guard;
    };
  }

  /** Bound, because the router calls it without `this`. */
  push = (to: To, state?: unknown): void => {
    this.#pass(() => {
      this.#index += 1;
      history.pushState(this.#entry(state), '', createPath(toPath(to)));
      this.#moved();
    });
  };

  replace = (to: To, state?: unknown): void => {
    this.#pass(() => {
      history.replaceState(this.#entry(state), '', createPath(toPath(to)));
      this.#moved();
    });
  };

  go(steps: number): void {
    history.go(steps);
  }

  createHref(to: To): string {
    return createPath(toPath(to));
  }

  /** As spelled in the browser's address bar. */
  encodeLocation(to: To): Path {
    // A trailing space would be trimmed.
    const address = createPath(toPath(to)).replace(/ $/, '%20');
    const { pathname, search, hash } = new URL(window.location.origin + address);
    return { pathname, search, hash };
  }

  #pass(leave: () => void): void {
    if (this.#guard) {
      this.#guard(leave);
    } else {
      leave();
    }
  }

  /** Back and forward have already happened: revert them before asking. */
  #stepped(): void {
    const { pathname, search, hash } = this.#location;
    const { location } = window;
    // A fragment link adds a history entry, unless it is the current location.
    const made = this.#index + (hash === location.hash ? 0 : 1);
    const index = indexOfEntry() ?? numberEntry(made);
    const steps = index - this.#index;
    const isElsewhere = pathname !== location.pathname || search !== location.search;
    if (this.#guard && steps !== 0 && isElsewhere) {
      history.go(-steps);
      this.#guard(() => history.go(steps));
      return;
    }
    this.#index = index;
    this.#moved();
  }

  #moved(): void {
    this.#location = readLocation();
    this.#onMove?.();
  }

  #entry(state: unknown): Entry {
    return { usr: state, key: Math.random().toString(36).slice(2, 10), idx: this.#index };
  }
}

/** The state of each history entry. */
interface Entry {
  usr?: unknown;
  key?: string;
  /** Its index, from 0. */
  idx?: number;
}

function entry(): Entry {
  return (history.state as Entry | null) ?? {};
}

/** Undefined for an entry that was not created here. */
function indexOfEntry(): number | undefined {
  return entry().idx;
}

function numberEntry(idx: number): number {
  history.replaceState({ ...entry(), idx }, '');
  return idx;
}

function readLocation(): Location {
  const { pathname, search, hash } = window.location;
  const { usr = null, key = 'default' } = entry();
  return { pathname, search, hash, state: usr, key };
}

function toPath(to: To): Path {
  return { pathname: '/', search: '', hash: '', ...(typeof to === 'string' ? parsePath(to) : to) };
}
