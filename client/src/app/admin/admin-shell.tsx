import type { Me } from '@knowhow/shared/access/auth';
import { IconMenu2 } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { Outlet } from 'react-router';
import { IconButton } from '../../ui/icon-button.tsx';
import { Brand } from '../frame/brand.tsx';
import { Frame } from '../frame/frame.tsx';
import { useFrame } from '../frame/use-frame.ts';
import { AdminNav } from './admin-nav.tsx';
import classes from './admin-shell.module.css';
import { Attention } from './attention.tsx';
import { usePageFocus } from './use-page-focus.ts';

/** The frame of every admin page. */
export function AdminShell({ me }: { me: Me }) {
  const { t } = useTranslation();
  const frame = useFrame();
  usePageFocus();
  return (
    <Frame
      me={me}
      frame={frame}
      skip={t('adminShell.skip')}
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
      <Attention />
      <Outlet />
    </Frame>
  );
}
