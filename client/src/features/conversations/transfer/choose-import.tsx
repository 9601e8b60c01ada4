import { maxImportBytes } from '@knowhow/shared/chat/conversation-import';
import { Button, Progress } from '@mantine/core';
import { IconFileImport } from '@tabler/icons-react';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../ui/text/use-format.ts';
import share from './share-dialog.module.css';

interface ChooseImportProps {
  onFile: (file: File) => void;
  /** Upload progress, from 0 to 1; undefined without an upload. */
  sent: number | undefined;
}

/** The file picker of an import, with its progress. */
export function ChooseImport({ onFile, sent }: ChooseImportProps) {
  const { t } = useTranslation();
  const { bytes } = useFormat();
  const input = useRef<HTMLInputElement>(null);
  const percent = Math.floor((sent ?? 0) * 100);
  const words = sent === 1 ? t('importing.reading') : t('importing.sending', { percent });
  return (
    <>
      <p className={share.about}>{t('importing.about', { most: bytes(maxImportBytes) })}</p>
      {sent === undefined ? (
        <div>
          <input
            ref={input}
            type="file"
            hidden
            aria-label={t('importing.choose')}
            accept=".json,.zip"
            onChange={({ currentTarget }) => {
              const [file] = currentTarget.files ?? [];
              if (file) {
                onFile(file);
              }
              // So that the same file can be chosen again.
              currentTarget.value = '';
            }}
          />
          <Button
            leftSection={<IconFileImport size={17} aria-hidden />}
            onClick={() => input.current?.click()}
            data-autofocus
          >
            {t('importing.choose')}
          </Button>
        </div>
      ) : (
        <div>
          <p role="status">{words}</p>
          <Progress aria-label={words} value={percent} animated={sent === 1} />
        </div>
      )}
    </>
  );
}
