import { type ReactNode, use, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'react-router';
import { ConfirmDialog } from './confirm-dialog.tsx';
import { HistoryContext } from './guarded-router.tsx';

interface UnsavedWarning {
  /** The confirmation dialog; must be rendered. */
  question: ReactNode;
  /** Lets the next navigation pass: the changes are saved, or their subject is gone. */
  letGo: () => void;
}

/** Alternative texts of the dialog. */
interface Words {
  title: string;
  text: string;
  leave: string;
}

/**
 * Asks before unsaved changes are discarded by a link, the browser's back button, or closing the tab. Calls
 * `onGivenUp` when the user discards them.
 */
export function useUnsavedWarning(
  isDirty: boolean,
  onGivenUp?: () => void,
  words?: Words,
): UnsavedWarning {
  const { t } = useTranslation();
  const history = use(HistoryContext);
  const { key } = useLocation();
  const [wayOut, setWayOut] = useState<{ leave: () => void }>();
  const release = useRef<() => void>(undefined);

  // biome-ignore lint/correctness/useExhaustiveDependencies: another page is guarded again
  useEffect(() => {
    if (!isDirty) {
      return;
    }
    const releaseHistory = history?.guard((leave) => setWayOut({ leave }));
    const releaseTab = blockTabClose();
    const releaseBoth = () => {
      releaseHistory?.();
      releaseTab();
    };
    release.current = releaseBoth;
    return releaseBoth;
  }, [isDirty, history, key]);

  function letGo() {
    release.current?.();
  }

  return {
    letGo,
    question: (
      <ConfirmDialog
        title={words?.title ?? t('unsavedWarning.title')}
        opened={wayOut !== undefined}
        onClose={() => setWayOut(undefined)}
        onConfirm={() => {
          letGo();
          onGivenUp?.();
          setWayOut(undefined);
          wayOut?.leave();
        }}
        confirmLabel={words?.leave ?? t('unsavedWarning.leave')}
      >
        <p>{words?.text ?? t('unsavedWarning.text')}</p>
      </ConfirmDialog>
    ),
  };
}

function blockTabClose(): () => void {
  const onBeforeUnload = (event: BeforeUnloadEvent) => event.preventDefault();
  window.addEventListener('beforeunload', onBeforeUnload);
  return () => window.removeEventListener('beforeunload', onBeforeUnload);
}
