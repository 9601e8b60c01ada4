import { type ComponentType, lazy, useEffect, useSyncExternalStore } from 'react';
import { ChunkLoadError } from './chunk-load-error.tsx';

/** What is shown where a part cannot be loaded: it gets the props of the part, and how to try again. */
type Lost<Props> = ComponentType<Props & { onRetry: () => void }>;

/**
 * A part of the page whose code is loaded when it is first shown; needs a `Suspense` around it. Where it
 * cannot be loaded (the connection is lost, or the server has a newer version by now), the page around it
 * stays as it is. It is tried again at once, when the connection is back, when somebody wants it, and the
 * next time it is shown.
 */
export function lazyPart<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  Lost: Lost<Props> = ChunkLoadError,
): ComponentType<Props> {
  const listeners = new Set<() => void>();
  const subscribe = (listener: () => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };

  // React keeps for good what a lazy component was loaded with: each try is another one.
  const begin = () => {
    let hasFailed = false;
    let isBack = false;
    const onOnline = () => {
      isBack = true;
      if (hasFailed) {
        retry();
      }
    };
    /** While it still fails, the connection may come back: that is no time to miss. */
    const loadNow = async (): Promise<ComponentType<Props>> => {
      isBack = false;
      return load()
        .catch(load)
        .catch((error: unknown) => {
          if (isBack) {
            return loadNow();
          }
          throw error;
        });
    };
    const attempt: ComponentType<Props> = lazy(async () => {
      window.addEventListener('online', onOnline);
      try {
        const part = await loadNow();
        window.removeEventListener('online', onOnline);
        return { default: part };
      } catch {
        hasFailed = true;
        return { default: Failed };
      }
    });
    const giveUp = () => {
      window.removeEventListener('online', onOnline);
      if (current === attempt) {
        current = begin();
      }
    };
    const retry = () => {
      giveUp();
      for (const listener of listeners) {
        listener();
      }
    };
    const Failed = (props: Props) => {
      useEffect(() => giveUp, []);
      return <Lost {...props} onRetry={retry} />;
    };
    return attempt;
  };
  let current = begin();

  return function Part(props: Props) {
    const Current = useSyncExternalStore(subscribe, () => current);
    return <Current {...props} />;
  };
}
