import { maxBackupUpload } from '@knowhow/shared/config/backup';
import { Button } from '@mantine/core';
import { IconFileZip } from '@tabler/icons-react';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { chosenFiles, type SelectedFile } from '../../ui/files/selected-files.ts';
import { focusHere } from '../../ui/focus/focus-here.ts';
import { useFormat } from '../../ui/text/use-format.ts';
import classes from './choose-backup.module.css';

interface ChooseBackupProps {
  /** After a previous restore: the focus was in the removed element. */
  isAgain: boolean;
  isElsewhere: boolean;
  onFiles: (files: SelectedFile[]) => void;
}

export function ChooseBackup({ isAgain, isElsewhere, onFiles }: ChooseBackupProps) {
  const { t } = useTranslation();
  const { bytes } = useFormat();
  const input = useRef<HTMLInputElement>(null);
  return (
    <div className={classes.area}>
      <p className={classes.title}>{t('adminBackup.dropTitle')}</p>
      <p>{t('adminBackup.formats', { most: bytes(maxBackupUpload) })}</p>
      <input
        ref={input}
        type="file"
        hidden
        aria-label={t('adminBackup.chooseFile')}
        accept=".zip"
        onChange={({ currentTarget }) => {
          const files = chosenFiles(currentTarget.files);
          // So that the same file can be chosen again after a change.
          currentTarget.value = '';
          if (files.length > 0) {
            onFiles(files);
          }
        }}
      />
      <Button
        ref={isAgain ? focusHere : undefined}
        className={classes.button}
        variant="default"
        leftSection={<IconFileZip size={17} aria-hidden />}
        onClick={() => input.current?.click()}
      >
        {t('adminBackup.chooseFile')}
      </Button>
      <p role="status">{isElsewhere && t('adminBackup.elsewhere')}</p>
    </div>
  );
}
