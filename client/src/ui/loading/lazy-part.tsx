import { type ComponentType, lazy, useEffect, useSyncExternalStore } from 'react';
import { ChunkLoadError } from './chunk-load-error.tsx';
import { loadTexts } from './load-texts.ts';

/** The fallback for a failed load: receives the part's props and a retry function. */
type Lost<Props> = ComponentType<Props & { onRetry: () => void }>;

/**
 * A lazily loaded part of the page; needs a surrounding `Suspense`. If loading fails (connection lost, or a
 * newer version on the server), the page around it keeps working. It is retried immediately, when the connection
 * returns, on request, and the next time it is shown. The texts of `chat` are loaded with it.
 */
export function lazyPart<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  Lost: Lost<Props> = ChunkLoadError,
): ComponentType<Props> {
  const listeners = new Set<() => void>();
  const loadWithTexts = async () => {
    const [part] = await Promise.all([load(), loadTexts('chat')]);
    return part;
  };
  const subscribe = (listener: () => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };

  // React caches the result of a lazy component forever: each attempt needs a new one.
  const begin = () => {
    let hasFailed = false;
    let isBack = false;
    const onOnline = () => {
      isBack = true;
      if (hasFailed) {
        retry();
      }
    };
    /** The connection may return while an attempt is still failing: do not miss that event. */
    const loadNow = async (): Promise<ComponentType<Props>> => {
      isBack = false;
      return loadWithTexts()
        .catch(loadWithTexts)
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
