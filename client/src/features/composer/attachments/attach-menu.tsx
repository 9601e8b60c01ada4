import { IconFile, IconPaperclip, IconPlugConnected } from '@tabler/icons-react';
import { Suspense, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../../../ui/icon-button.tsx';
import { LostDialog } from '../../../ui/loading/chunk-load-error.tsx';
import { LazyMenu } from '../../../ui/loading/lazy-menu.tsx';
import { lazyPart } from '../../../ui/loading/lazy-part.tsx';
import type { Attachments } from './use-attachments.ts';

const ResourceDialog = lazyPart(
  async () => (await import('./resource-dialog.tsx')).ResourceDialog,
  LostDialog,
);

interface AttachMenuProps {
  appId: string;
  /** Opens the device's file picker. */
  onChoose: () => void;
  attachments: Attachments;
}

/** Attachment sources: files, and resources of servers. */
export function AttachMenu({ appId, onChoose, attachments }: AttachMenuProps) {
  const { t } = useTranslation();
  const [isOpen, setIsOpen] = useState(false);
  const place = useRef<HTMLSpanElement>(null);
  const close = () => {
    setIsOpen(false);
    // The menu item that opened it is gone.
    setTimeout(() => place.current?.querySelector('button')?.focus());
  };
  return (
    <span ref={place} style={{ display: 'contents' }}>
      <LazyMenu
        position="top-start"
        withinPortal
        button={<IconButton label={t('composer.attach')} icon={<IconPaperclip size={18} />} />}
      >
        {(Menu) => (
          <>
            <Menu.Item leftSection={<IconFile size={16} />} onClick={onChoose}>
              {t('attachments.files')}
            </Menu.Item>
            <Menu.Item
              leftSection={<IconPlugConnected size={16} />}
              onClick={() => setIsOpen(true)}
            >
              {t('attachments.fromServers')}
            </Menu.Item>
          </>
        )}
      </LazyMenu>
      <Suspense>
        {isOpen && <ResourceDialog appId={appId} attachments={attachments} onClose={close} />}
      </Suspense>
    </span>
  );
}
