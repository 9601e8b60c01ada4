import type { Me } from '@knowhow/shared/access/auth';
import { adminApi } from '@knowhow/shared/config/admin';
import { healthApi } from '@knowhow/shared/config/health';
import { skillReviewsApi } from '@knowhow/shared/skills/skill-reviews';
import { VisuallyHidden } from '@mantine/core';
import { IconAlertTriangle, IconArrowLeft, IconMenu2 } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, NavLink, Outlet, useLocation, useNavigate } from 'react-router';
import { allItems, query } from '../../api/query.ts';
import type { MenuDialog } from '../../features/account/menu-dialog.ts';
import { UserMenu } from '../../features/account/user-menu.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Expander } from '../../ui/layout/expander.tsx';
import { useIsAdmin } from '../../ui/rights.ts';
import { useFormat } from '../../ui/text/use-format.ts';
import { useLeave } from '../chat/use-leave.ts';
import { Brand } from '../frame/brand.tsx';
import { Frame } from '../frame/frame.tsx';
import { useFrame } from '../frame/use-frame.ts';
import { permittedAdminPages } from '../permitted-admin-pages.ts';
import classes from './admin-shell.module.css';

/** The frame of every admin page. */
export function AdminShell({ me }: { me: Me }) {
  const { t } = useTranslation();
  const frame = useFrame();
  const isAdmin = useIsAdmin();
  usePageFocus();
  return (
    <Frame
      me={me}
      frame={frame}
      hasSidebar
      isNarrow
      sidebar={<AdminNav me={me} onOpen={frame.setDialog} />}
    >
      {frame.isPhone && (
        <div className={classes.bar}>
          <IconButton
            label={t('shell.openSidebar')}
            icon={<IconMenu2 size={18} />}
            onClick={() => frame.setDrawn(true)}
          />
          <Brand />
        </div>
      )}
      {isAdmin && <Attention isFolded={frame.isPhone} />}
      <Outlet />
    </Frame>
  );
}

interface AdminNavProps {
  me: Me;
  onOpen: (dialog: MenuDialog) => void;
}

/** Navigation to the admin pages and back to the chat, with the user menu below. */
function AdminNav({ me, onOpen }: AdminNavProps) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const leave = useLeave();
  return (
    <div className={classes.side}>
      <div className={classes.head}>
        <Brand />
      </div>
      <nav className={classes.nav} aria-label={t('adminShell.title')}>
        <Link className={classes.link} to="/">
          <IconArrowLeft size={18} aria-hidden />
          {t('adminShell.back')}
        </Link>
        <ul className={classes.pages}>
          {permittedAdminPages(me).map(({ path, label, Icon }) => (
            <li key={path}>
              <NavLink className={classes.link} to={path}>
                <Icon size={18} aria-hidden />
                {t(label)}
                {path === '/admin/reviews' && <OpenReviews />}
              </NavLink>
            </li>
          ))}
        </ul>
      </nav>
      <div className={classes.foot}>
        <UserMenu me={me} onSignIn={() => navigate('/login')} onSignOut={leave} onOpen={onOpen} />
      </div>
    </div>
  );
}

/** The number of open reviews, if there are any. */
function OpenReviews() {
  const { t } = useTranslation();
  const { number } = useFormat();
  const open = query(skillReviewsApi.list, { query: { limit: 1 } });
  const total = useQuery({ ...open, refetchInterval }).data?.total ?? 0;
  return (
    total > 0 && (
      <span className={classes.count}>
        <span aria-hidden>{number(total)}</span>
        <VisuallyHidden>{t('adminShell.openReviews', { count: total })}</VisuallyHidden>
      </span>
    )
  );
}

/** Polling interval in ms: files can also change outside of these pages. */
const refetchInterval = 30_000;

/** Warnings and invalid configuration files, shown on every admin page; on a phone only their number. */
function Attention({ isFolded }: { isFolded: boolean }) {
  const { t } = useTranslation();
  const status = useQuery({ ...query(adminApi.status, {}), refetchInterval });
  const faults = useQuery({ ...allItems(healthApi.faults, {}), refetchInterval });
  const diagnostics = [
    ...(status.data?.warnings ?? []),
    ...(faults.data ?? []).map(({ path, field, message, isUsed }) => {
      const location = field ? `${path}, ${field}` : path;
      const said = `${location}: ${/[.!?]$/.test(message) ? message : `${message}.`}`;
      return isUsed ? said : t('adminShell.fault', { fault: said });
    }),
  ];
  const [only] = diagnostics;
  return (
    <div role="status">
      {only !== undefined && (
        <div className={classes.banner}>
          <IconAlertTriangle className={classes.icon} size={18} aria-hidden />
          {diagnostics.length === 1 && !isFolded ? (
            <p>{only}</p>
          ) : (
            <Expander summary={t('adminShell.attention', { count: diagnostics.length })}>
              <ul>
                {diagnostics.map((diagnostic) => (
                  <li key={diagnostic}>{diagnostic}</li>
                ))}
              </ul>
            </Expander>
          )}
        </div>
      )}
    </div>
  );
}

/** Delays in ms before focus is restored: immediately, and after the dialog that led here has closed. */
const moments = [0, 400];

/** Moves the focus into a page after navigation, unless something in it or next to it has the focus. */
function usePageFocus(): void {
  const page = getPagePath(useLocation().pathname);
  const last = useRef(page);
  useEffect(() => {
    // `/admin` only redirects to the first page.
    const isFirst = last.current === page || last.current === '/admin';
    last.current = page;
    if (isFirst) {
      return;
    }
    const timers = moments.map((moment) => setTimeout(restoreLostFocus, moment));
    return () => timers.forEach(clearTimeout);
  }, [page]);
}

/** Removes the tab from the path: `/admin/skills/pdf/files` becomes `/admin/skills/pdf`. */
function getPagePath(pathname: string): string {
  return pathname.split('/').slice(0, 4).join('/').replace(/\/$/, '');
}

/** Not the heading: it is replaced when the page's data has loaded. */
function restoreLostFocus(): void {
  if (document.activeElement === document.body) {
    document.querySelector<HTMLElement>('main')?.focus({ preventScroll: true });
  }
}
