import { Button, Kbd } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useFocusAfter } from '../../../ui/focus/use-focus-after.ts';
import { ErrorNote } from '../../../ui/text/error-note.tsx';
import { ConflictNote } from './conflict-note.tsx';
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
