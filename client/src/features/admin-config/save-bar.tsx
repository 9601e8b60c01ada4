import { Button, Kbd } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { ErrorNote } from '../../ui/error-note.tsx';
import { useDraft } from './draft-context.ts';
import classes from './save-bar.module.css';
import type { useSaveItem } from './use-save-item.ts';

/** Stays in sight as long as something is not saved, with the reasons why it cannot be. */
export function SaveBar({ saving }: { saving: ReturnType<typeof useSaveItem> }) {
  const { t } = useTranslation();
  const { item, form, isDirty, load } = useDraft();
  const command = /Mac|iP(hone|ad)/.test(navigator.userAgent) ? '⌘' : t('keys.ctrl');
  const remarks = Object.entries(form.errors).filter(([path]) => path !== '');
  if (!isDirty && !saving.error) {
    return null;
  }
  return (
    <section className={classes.bar} aria-label={t('adminConfig.unsaved')}>
      {saving.error && (
        <ErrorNote error={saving.isOutdated ? outdated : saving.error}>
          {saving.isOutdated && (
            <>
              <Button size="compact-sm" variant="default" onClick={saving.loadTheirs}>
                {t('adminConfig.outdated.load')}
              </Button>
              <Button size="compact-sm" variant="default" onClick={saving.overwrite}>
                {t('adminConfig.outdated.overwrite')}
              </Button>
            </>
          )}
        </ErrorNote>
      )}
      {remarks.length > 0 && (
        <div role="alert">
          <ul className={classes.remarks}>
            {remarks.map(([path, remark]) => (
              <li key={path}>
                <code>{path}</code> {remark}
              </li>
            ))}
          </ul>
        </div>
      )}
      <div className={classes.row}>
        <span className={classes.state}>{t('adminConfig.unsaved')}</span>
        <Button variant="default" onClick={() => load(item)}>
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

/** Without the server's words: they do not know that there are two buttons. */
const outdated = { code: 'changed-meanwhile', message: '' };
