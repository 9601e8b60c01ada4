import type { Me } from '@knowhow/shared/access/auth';
import { type ReactNode, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { LostDialog } from '../../ui/loading/chunk-load-error.tsx';
import { lazyPart } from '../../ui/loading/lazy-part.tsx';
import { ConnectionBar } from './connection-bar.tsx';
import { Dialogs } from './dialogs.tsx';
import classes from './frame.module.css';
import { SignedOutBar } from './signed-out-bar.tsx';
import { TemporaryPasswordBar } from './temporary-password-bar.tsx';
import type { FrameState } from './use-frame.ts';

const SidebarDrawer = lazyPart(
  async () => (await import('./sidebar-drawer.tsx')).SidebarDrawer,
  LostDialog,
);

interface FrameProps {
  me: Me;
  frame: FrameState;
  sidebar: ReactNode;
  /** Whether the sidebar is shown next to the page on a wide screen. */
  hasSidebar: boolean;
  isNarrow?: boolean;
  children: ReactNode;
}

/** The frame of every page: the sidebar, the drawer that contains it on a phone, and the dialogs. */
export function Frame({ me, frame, sidebar, hasSidebar, isNarrow, children }: FrameProps) {
  const { t } = useTranslation();
  const [wasDrawn, setWasDrawn] = useState(frame.isDrawn);
  if (frame.isDrawn && !wasDrawn) {
    setWasDrawn(true);
  }
  return (
    <div className={classes.frame}>
      <a className={classes.skip} href="#main">
        {t('shell.skip')}
      </a>
      {!frame.isPhone && hasSidebar && (
        <aside
          className={classes.side}
          data-narrow={isNarrow || undefined}
          aria-label={t('shell.sidebar')}
        >
          {sidebar}
        </aside>
      )}
      {frame.isPhone && wasDrawn && (
        <Suspense>
          <SidebarDrawer opened={frame.isDrawn} onClose={() => frame.setDrawn(false)}>
            {sidebar}
          </SidebarDrawer>
        </Suspense>
      )}
      <main id="main" className={classes.main} tabIndex={-1}>
        <ConnectionBar />
        {me.anonymous && <SignedOutBar />}
        {me.hasMadePassword && (
          <TemporaryPasswordBar onChange={() => frame.setDialog('password')} />
        )}
        {children}
      </main>
      <Dialogs me={me} open={frame.dialog} onOpen={frame.setDialog} />
    </div>
  );
}
