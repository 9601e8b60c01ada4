import type { ConfigItem } from '@knowhow/shared/config/admin-config';
import { isRecord } from '@knowhow/shared/is-record';
import { Button, Kbd } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { TwoVersions } from '../../../ui/files/two-versions.tsx';
import { useFocusAfter } from '../../../ui/focus/use-focus-after.ts';
import { ErrorNote } from '../../../ui/text/error-note.tsx';
import { parseConfig, serializeConfig } from './config-text.ts';
import type { Config } from './config-value.ts';
import { useDraft } from './draft-context.ts';
import classes from './save-bar.module.css';
import type { useSaveItem } from './use-save-item.ts';

/** Sticky while there are unsaved changes; shows why they cannot be saved. */
export function SaveBar({ saving }: { saving: ReturnType<typeof useSaveItem> }) {
  const { t } = useTranslation();
  const { form, isDirty } = useDraft();
  const command = /Mac|iP(hone|ad)/.test(navigator.userAgent) ? '⌘' : t('keys.ctrl');
  const diagnostics = Object.entries(form.errors).filter(([path]) => path !== '');
  const isShown = isDirty || saving.error !== null;
  useFocusAfter(isShown);
  if (!isShown) {
    return null;
  }
  return (
    <section className={classes.bar} aria-label={t('adminConfig.unsaved')}>
      {saving.error &&
        (saving.isOutdated ? <ConflictNote saving={saving} /> : <ErrorNote error={saving.error} />)}
      {diagnostics.length > 0 && (
        <div role="alert">
          <ul className={classes.diagnostics}>
            {diagnostics.map(([path, diagnostic]) => (
              <li key={path}>
                <code>{path}</code> {diagnostic}
              </li>
            ))}
          </ul>
        </div>
      )}
      <div className={classes.row}>
        <span className={classes.state}>{t('adminConfig.unsaved')}</span>
        <Button variant="default" onClick={saving.discard}>
          {t('adminConfig.discard')}
        </Button>
        <Button onClick={saving.save} loading={saving.isSaving}>
          {t('adminConfig.save')}
          <Kbd className={classes.keys} aria-hidden>{`${command} S`}</Kbd>
        </Button>
      </div>
    </section>
  );
}

/** Conflict: another user saved the item in the meantime. Shows the differences and asks which version to keep. */
function ConflictNote({ saving }: { saving: ReturnType<typeof useSaveItem> }) {
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
