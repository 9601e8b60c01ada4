import { maxSkillUpload } from '@knowhow/shared/skills/skill-archives';
import { Button } from '@mantine/core';
import { IconFileZip, IconFolder } from '@tabler/icons-react';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { chosenFiles, type SelectedFile } from '../../ui/files/selected-files.ts';
import { focusHere } from '../../ui/focus/focus-here.ts';
import { useFormat } from '../../ui/text/use-format.ts';
import { AddressForm } from './address-form.tsx';
import classes from './choose-step.module.css';
import type { AddressInput } from './read-address.ts';

interface ChooseStepProps {
  /** After a previous import: the dialog has been open before. */
  isAgain: boolean;
  /** The address of the last import, to correct it. */
  address: AddressInput | undefined;
  onFiles: (files: SelectedFile[]) => void;
  onAddress: (address: AddressInput) => void;
}

/** Selects an import: dropped, chosen as files or a folder, or the address of a git repository. */
export function ChooseStep({ isAgain, address, onFiles, onAddress }: ChooseStepProps) {
  const { t } = useTranslation();
  const { bytes } = useFormat();
  const fileInput = useRef<HTMLInputElement>(null);
  const folderInput = useRef<HTMLInputElement>(null);

  function take(input: HTMLInputElement) {
    const files = chosenFiles(input.files);
    // So that the same file can be chosen again after a change.
    input.value = '';
    if (files.length > 0) {
      onFiles(files);
    }
  }

  return (
    <>
      <div className={classes.area}>
        {/* Not a button: it would receive the key press that led here. */}
        <p ref={isAgain ? focusHere : undefined} tabIndex={-1} className={classes.title}>
          {t('skillImport.dropTitle')}
        </p>
        <p>{t('skillImport.formats', { most: bytes(maxSkillUpload) })}</p>
        <input
          ref={fileInput}
          type="file"
          hidden
          aria-label={t('skillImport.chooseFile')}
          accept=".zip,.skill,.gz,.tgz,.json,.md"
          onChange={(event) => take(event.currentTarget)}
        />
        <input
          ref={(input) => {
            folderInput.current = input;
            input?.setAttribute('webkitdirectory', '');
          }}
          type="file"
          hidden
          aria-label={t('skillImport.chooseFolder')}
          onChange={(event) => take(event.currentTarget)}
        />
        <div className={classes.buttons}>
          <Button
            data-autofocus
            leftSection={<IconFileZip size={17} aria-hidden />}
            onClick={() => fileInput.current?.click()}
          >
            {t('skillImport.chooseFile')}
          </Button>
          <Button
            variant="default"
            leftSection={<IconFolder size={17} aria-hidden />}
            onClick={() => folderInput.current?.click()}
          >
            {t('skillImport.chooseFolder')}
          </Button>
        </div>
      </div>
      <AddressForm last={address} onAddress={onAddress} />
    </>
  );
}
