import type { Me } from '@knowhow/shared/access/auth';
import { IconArrowLeft } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { Link, NavLink, useNavigate } from 'react-router';
import type { MenuDialog } from '../../features/account/menu-dialog.ts';
import { UserMenu } from '../../features/account/user-menu.tsx';
import { useLeave } from '../chat/use-leave.ts';
import { Brand } from '../frame/brand.tsx';
import { permittedAdminPages } from '../permitted-admin-pages.ts';
import classes from './admin-nav.module.css';

interface AdminNavProps {
  me: Me;
  onOpen: (dialog: MenuDialog) => void;
}

/** Navigation to the admin pages and back to the chat, with the user menu below. */
export function AdminNav({ me, onOpen }: AdminNavProps) {
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
