import { IconDots } from '@tabler/icons-react';
import { Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../../ui/icon-button.tsx';
import { LazyMenu } from '../../ui/lazy-menu.tsx';
import { lazyPart } from '../../ui/lazy-part.tsx';
import classes from './conversation-row.module.css';
import type { RowMenuProps } from './row-menu-items.tsx';

const RowMenuItems = lazyPart(async () => (await import('./row-menu-items.tsx')).RowMenuItems);

/** The menu of one conversation of the list. */
export function RowMenu(props: RowMenuProps) {
  const { t } = useTranslation();
  const { title } = props.conversation;
  return (
    <LazyMenu
      position="bottom-end"
      width={180}
      button={
        <IconButton
          className={classes.more}
          label={t('conversations.actions', { title })}
          icon={<IconDots size={16} />}
          size={28}
        />
      }
    >
      {() => (
        <Suspense>
          <RowMenuItems {...props} />
        </Suspense>
      )}
    </LazyMenu>
  );
}
