import {
  createPath,
  type Location,
  type Navigator,
  type Path,
  parsePath,
  type To,
} from 'react-router';

/** Called instead of a move to another page, with what makes that move after all. */
type OnLeave = (leave: () => void) => void;

/** The browser's history, as `Router` takes it, which a page with unsaved changes can hold. */
export class GuardedHistory implements Navigator {
  #guard: OnLeave | undefined;
  #onMove: (() => void) | undefined;
  #index = indexOfEntry() ?? numberEntry(0);
  #location = readLocation();

  /** Where the page is; the same object until it moves. */
  location = () => this.#location;

  /** Calls `onMove`, and nobody else, after each move, until what this gives is called. */
  listen = (onMove: () => void): (() => void) => {
    const onPopState = () => this.#stepped();
    this.#onMove = onMove;
    window.addEventListener('popstate', onPopState);
    return () => {
      this.#onMove = undefined;
      window.removeEventListener('popstate', onPopState);
    };
  };

  /** Holds links, redirects, and steps back and forth, until what this gives is called. */
  guard(onLeave: OnLeave): () => void {
    this.#guard = onLeave;
    return () => {
      this.#guard = this.#guard === onLeave ? undefined : this.#guard;
    };
  }

  /** Bound, as the router calls it by itself. */
  push = (to: To, state?: unknown): void => {
    this.#pass(() => {
      this.#index += 1;
      history.pushState(this.#entry(state), '', createPath(pathOf(to)));
      this.#moved();
    });
  };

  replace = (to: To, state?: unknown): void => {
    this.#pass(() => {
      history.replaceState(this.#entry(state), '', createPath(pathOf(to)));
      this.#moved();
    });
  };

  go(steps: number): void {
    history.go(steps);
  }

  createHref(to: To): string {
    return createPath(pathOf(to));
  }

  /** As the browser's address spells it. */
  encodeLocation(to: To): Path {
    // A space at the end would be cut off.
    const address = createPath(pathOf(to)).replace(/ $/, '%20');
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

  /** A step has been made by the time it is heard of: it is taken back before somebody is asked. */
  #stepped(): void {
    const { pathname, search, hash } = this.#location;
    const { location } = window;
    // A link to a part of the page makes an entry of its own, unless it leads where one is.
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

/** What the browser keeps with each entry of its history. */
interface Entry {
  usr?: unknown;
  key?: string;
  /** Its number, from 0. */
  idx?: number;
}

function entry(): Entry {
  return (history.state as Entry | null) ?? {};
}

/** None at an entry that was not made here. */
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

function pathOf(to: To): Path {
  return { pathname: '/', search: '', hash: '', ...(typeof to === 'string' ? parsePath(to) : to) };
}
