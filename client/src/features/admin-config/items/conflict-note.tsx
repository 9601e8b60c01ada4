import type { ConfigItem } from '@knowhow/shared/config/admin-config';
import { isRecord } from '@knowhow/shared/is-record';
import { Button } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { TwoVersions } from '../../../ui/files/two-versions.tsx';
import { ErrorNote } from '../../../ui/text/error-note.tsx';
import { parseConfig, serializeConfig } from './config-text.ts';
import type { Config } from './config-value.ts';
import { useDraft } from './draft-context.ts';
import type { useSaveItem } from './use-save-item.ts';

/** Conflict: another user saved the item in the meantime. Shows the differences and asks which version to keep. */
export function ConflictNote({ saving }: { saving: ReturnType<typeof useSaveItem> }) {
  const { t } = useTranslation();
  const { form, text } = useDraft();
  const [isAsked, setAsked] = useState(false);
  const { theirs } = saving;
  return (
    <>
      <ErrorNote error={outdated}>
        <Button size="compact-sm" variant="default" onClick={() => setAsked(true)}>
          {t('adminConfig.outdated.load')}
        </Button>
        <Button size="compact-sm" variant="default" onClick={saving.overwrite}>
          {t('adminConfig.outdated.overwrite')}
        </Button>
      </ErrorNote>
      {theirs && (
        <TwoVersions theirs={getItemText(theirs)} mine={getTextToSave(form.values, text)} />
      )}
      <ConfirmDialog
        title={t('adminConfig.outdated.question')}
        opened={isAsked}
        onClose={() => setAsked(false)}
        onConfirm={saving.loadTheirs}
        confirmLabel={t('adminConfig.outdated.load')}
        error={saving.loadingError}
        isBusy={saving.isLoading}
      >
        <p>{t('adminConfig.outdated.lost')}</p>
      </ConfirmDialog>
    </>
  );
}

function getItemText({ config, text }: ConfigItem): string {
  return config ? serializeConfig(config) : text;
}

/** The item as it would be saved, also while it is edited as JSON. */
function getTextToSave(values: Config, text: string | undefined): string {
  const config = text === undefined ? values : parseConfig(text);
  return isRecord(config) ? serializeConfig(config) : (text ?? '');
}

/** Without the server's message, which does not mention the two buttons. */
const outdated = { code: 'changed-meanwhile', message: '' };
