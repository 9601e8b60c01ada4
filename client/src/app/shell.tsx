import type { Me } from '@knowhow/shared/auth';
import { useLocalStorage, useMediaQuery } from '@mantine/hooks';
import { lazy, Suspense, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Outlet, useLocation, useNavigate } from 'react-router';
import { useDeletions } from '../features/conversations/use-deletions.tsx';
import { ConnectionBar } from './connection-bar.tsx';
import { Dialogs, type OpenDialog } from './dialogs.tsx';
import classes from './shell.module.css';
import type { ShellOutlet } from './shell-outlet.ts';
import { Sidebar } from './sidebar.tsx';
import { useShortcuts } from './use-shortcuts.ts';

const SidebarDrawer = lazy(async () => ({
  default: (await import('./sidebar-drawer.tsx')).SidebarDrawer,
}));

/** The frame of every page: the sidebar, or on a phone the drawer that holds it, and the page. */
export function Shell({ me }: { me: Me }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { key } = useLocation();
  const isPhone = useMediaQuery('(max-width: 47.99em)', false, { getInitialValueInEffect: false });
  const [isPinned, setPinned] = useLocalStorage({
    key: 'knowhow-sidebar',
    defaultValue: true,
    getInitialValueInEffect: false,
  });
  const [isDrawn, setDrawn] = useState(false);
  const [dialog, setDialog] = useState<OpenDialog>();
  const deletions = useDeletions();
  const outlet: ShellOutlet = {
    hasSidebar: !isPhone && isPinned,
    openSidebar: () => (isPhone ? setDrawn(true) : setPinned(true)),
  };
  useShortcuts({
    search: () => setDialog('commands'),
    newConversation: () => navigate('/'),
    keys: () => setDialog('keys'),
  });

  // Whoever has gone somewhere has no more use for the drawer.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another place is the occasion
  useEffect(() => setDrawn(false), [key]);

  const sidebar = (
    <Sidebar
      me={me}
      deletions={deletions}
      onClose={() => (isPhone ? setDrawn(false) : setPinned(false))}
      onShowKeys={() => setDialog('keys')}
    />
  );
  return (
    <div className={classes.shell}>
      <a className={classes.skip} href="#main">
        {t('shell.skip')}
      </a>
      {outlet.hasSidebar && (
        <aside className={classes.side} aria-label={t('shell.sidebar')}>
          {sidebar}
        </aside>
      )}
      {isPhone && (
        <Suspense>
          <SidebarDrawer opened={isDrawn} onClose={() => setDrawn(false)}>
            {sidebar}
          </SidebarDrawer>
        </Suspense>
      )}
      <main id="main" className={classes.main} tabIndex={-1}>
        <ConnectionBar />
        <Outlet context={outlet} />
      </main>
      <Dialogs me={me} open={dialog} onOpen={setDialog} />
    </div>
  );
}
