import { IconPaperclip } from '@tabler/icons-react';
import { Suspense, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../../../ui/icon-button.tsx';
import { lazyPart } from '../../../ui/loading/lazy-part.tsx';
import type { Attachments } from './use-attachments.ts';

const AttachMenu = lazyPart(async () => (await import('./attach-menu.tsx')).AttachMenu);

interface AttachButtonProps {
  appId: string;
  /** Whether servers may offer resources: then there is a menu. */
  hasResources: boolean | undefined;
  attachments: Attachments;
}

/** Opens the file picker. */
export function AttachButton({ appId, hasResources, attachments }: AttachButtonProps) {
  const { t } = useTranslation();
  const input = useRef<HTMLInputElement>(null);
  const choose = () => input.current?.click();
  const button = (
    <IconButton label={t('composer.attach')} icon={<IconPaperclip size={18} />} onClick={choose} />
  );
  return (
    <>
      {hasResources ? (
        <Suspense fallback={button}>
          <AttachMenu appId={appId} onChoose={choose} attachments={attachments} />
        </Suspense>
      ) : (
        button
      )}
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label={t('composer.attach')}
        onChange={({ currentTarget }) => {
          attachments.attach([...(currentTarget.files ?? [])]);
          // So that the same file can be chosen again.
          currentTarget.value = '';
        }}
      />
    </>
  );
}
