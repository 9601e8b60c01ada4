import { IconDots } from '@tabler/icons-react';
import { Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFocusBack } from '../../ui/focus/use-focus-back.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { LostDialog } from '../../ui/loading/chunk-load-error.tsx';
import { LazyMenu } from '../../ui/loading/lazy-menu.tsx';
import { lazyPart } from '../../ui/loading/lazy-part.tsx';
import classes from './conversation-row.module.css';
import type { RowDialogName } from './row-dialog.tsx';
import type { RowMenuItemsProps } from './row-menu-items.tsx';

const RowMenuItems = lazyPart(async () => (await import('./row-menu-items.tsx')).RowMenuItems);

const RowDialog = lazyPart(async () => (await import('./row-dialog.tsx')).RowDialog, LostDialog);

/** The menu of one conversation of the list. */
export function RowMenu(props: Omit<RowMenuItemsProps, 'onOpen'>) {
  const { t } = useTranslation();
  const { conversation } = props;
  const { title } = conversation;
  const [dialog, setDialog] = useState<RowDialogName>();
  const close = () => setDialog(undefined);
  useFocusBack(dialog !== undefined);
  return (
    <>
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
            <RowMenuItems {...props} onOpen={setDialog} />
          </Suspense>
        )}
      </LazyMenu>
      {dialog && (
        <Suspense>
          <RowDialog name={dialog} conversation={conversation} onClose={close} />
        </Suspense>
      )}
    </>
  );
}
