import { IconLayoutSidebar, IconPencilPlus } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useNavigate, useOutletContext } from 'react-router';
import { IconButton } from '../../ui/icon-button.tsx';
import type { ShellOutlet } from '../frame/shell-outlet.ts';
import classes from './top-bar.module.css';

/** The bar above a page next to the chat, if the sidebar is closed. */
export function PageBar() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { hasSidebar, openSidebar } = useOutletContext<ShellOutlet>();
  return (
    !hasSidebar && (
      <div className={classes.bar}>
        <IconButton
          label={t('shell.openSidebar')}
          icon={<IconLayoutSidebar size={18} />}
          onClick={openSidebar}
        />
        <span className={classes.gap} />
        <IconButton
          label={t('action.newConversation')}
          icon={<IconPencilPlus size={18} />}
          onClick={() => navigate('/')}
        />
      </div>
    )
  );
}
