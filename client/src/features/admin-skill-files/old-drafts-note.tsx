import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import classes from './skill-files.module.css';
import type { FileDrafts } from './use-drafts.ts';

/** Reports restored drafts, and offers to discard them. */
export function RestoredDraftsNote({ drafts }: { drafts: FileDrafts }) {
  const { t } = useTranslation();
  return (
    <div className={classes.note} role="status">
      <p>{t('skillFiles.oldDrafts', { count: drafts.paths.length, path: drafts.paths[0] })}</p>
      <Button variant="default" size="xs" onClick={drafts.accept}>
        {t('skillFiles.keepDrafts')}
      </Button>
      <Button variant="subtle" size="xs" onClick={drafts.discardAll}>
        {t('skillFiles.discardDrafts')}
      </Button>
    </div>
  );
}
