import { type ReactNode, type RefObject, use, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import {
  UNSAFE_NavigationContext as NavigationContext,
  type Navigator,
  useLocation,
} from 'react-router';
import { ConfirmDialog } from './confirm-dialog.tsx';

interface UnsavedWarning {
  /** The question; to be rendered. */
  question: ReactNode;
  /** The next change of place goes unasked: the changes are saved, or what they belong to is gone. */
  letGo: () => void;
}

/**
 * Asks before unsaved changes are left behind: by a link, by the browser's back button, or by
 * closing the tab. The router itself can only do so where it also loads the data.
 * `onGivenUp` is told when they are left behind by choice.
 */
export function useUnsavedWarning(isDirty: boolean, onGivenUp?: () => void): UnsavedWarning {
  const { t } = useTranslation();
  const { navigator } = use(NavigationContext);
  const { key } = useLocation();
  const [wayOut, setWayOut] = useState<{ leave: () => void }>();
  const isFree = useRef(false);

  // biome-ignore lint/correctness/useExhaustiveDependencies: another place is guarded again
  useEffect(() => {
    if (!isDirty) {
      return;
    }
    isFree.current = false;
    const onLeave = (leave: () => void) => setWayOut({ leave });
    const guards = [guardLinks, guardHistory, guardTab];
    const releases = guards.map((guard) => guard({ navigator, isFree, onLeave }));
    return () => {
      for (const release of releases) {
        release();
      }
    };
  }, [isDirty, navigator, key]);

  function letGo() {
    isFree.current = true;
  }

  return {
    letGo,
    question: (
      <ConfirmDialog
        title={t('unsavedWarning.title')}
        opened={wayOut !== undefined}
        onClose={() => setWayOut(undefined)}
        onConfirm={() => {
          letGo();
          onGivenUp?.();
          setWayOut(undefined);
          wayOut?.leave();
        }}
        confirmLabel={t('unsavedWarning.leave')}
      >
        <p>{t('unsavedWarning.text')}</p>
      </ConfirmDialog>
    ),
  };
}

interface Guard {
  navigator: Navigator;
  isFree: RefObject<boolean>;
  /** Told how to go on to where somebody wants to go. */
  onLeave: (leave: () => void) => void;
}

/** Holds back what the router is asked for: links, and pages that lead on by themselves. */
function guardLinks({ navigator, isFree, onLeave }: Guard): () => void {
  const { push, replace } = navigator;
  navigator.push = (...way) => (isFree.current ? push(...way) : onLeave(() => push(...way)));
  navigator.replace = (...way) =>
    isFree.current ? replace(...way) : onLeave(() => replace(...way));
  return () => Object.assign(navigator, { push, replace });
}

/**
 * Takes back a step through the history, which has happened by the time it is heard of. Until then
 * the router believes that it is where it was.
 */
function guardHistory({ navigator, isFree, onLeave }: Guard): () => void {
  const release = holdPlace(navigator, isFree);
  const here = indexOfEntry();

  function onPopState() {
    const steps = indexOfEntry() - here;
    if (!isFree.current && steps) {
      history.go(-steps);
      onLeave(() => history.go(steps));
    }
  }

  window.addEventListener('popstate', onPopState);
  return () => {
    window.removeEventListener('popstate', onPopState);
    release();
  };
}

/** The router's history tells it in `location` where it is. */
function holdPlace(navigator: Navigator, isFree: RefObject<boolean>): () => void {
  const place = Object.getOwnPropertyDescriptor(navigator, 'location') ?? {};
  const now = () => place.get?.call(navigator);
  const held = now();
  Object.defineProperty(navigator, 'location', {
    ...place,
    get: () => (isFree.current ? now() : held),
  });
  return () => Object.defineProperty(navigator, 'location', place);
}

function guardTab({ isFree }: Guard): () => void {
  function onBeforeUnload(event: BeforeUnloadEvent) {
    if (!isFree.current) {
      event.preventDefault();
    }
  }
  window.addEventListener('beforeunload', onBeforeUnload);
  return () => window.removeEventListener('beforeunload', onBeforeUnload);
}

/** Where the page stands in the history, as the router numbers it; NaN at entries of others. */
function indexOfEntry(): number {
  const state = history.state as { idx?: unknown } | null;
  return typeof state?.idx === 'number' ? state.idx : Number.NaN;
}
