import type { AdminSkillDetail } from '@knowhow/shared/skills/admin-skill';
import type { Revision } from '@knowhow/shared/skills/skill-history';
import { Button } from '@mantine/core';
import { useEffect, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../ui/text/use-format.ts';
import { RestoreDialog } from './restore-dialog.tsx';
import { RevisionChanges } from './revision-changes.tsx';
import classes from './revision-row.module.css';
import { useActionName } from './use-action-name.ts';

interface RevisionRowProps {
  skill: AdminSkillDetail;
  revision: Revision;
  /** Whether there is no previous version to compare with. */
  isFirst: boolean;
  isNewest: boolean;
}

/** One version: its author and action, and its differences on demand. */
export function RevisionRow({ skill, revision, isFirst, isNewest }: RevisionRowProps) {
  const { t } = useTranslation();
  const actionName = useActionName();
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  const [isRestoring, setRestoring] = useState(false);
  const [wasRestored, setRestored] = useState(false);
  const changesButton = useRef<HTMLButtonElement>(null);
  const { number, action, summary, current, checksum } = revision;
  const mayRestore = skill.writable && !current && checksum !== undefined;

  useEffect(() => {
    if (wasRestored && current) {
      // The pressed button has just disappeared.
      changesButton.current?.focus();
      setRestored(false);
    }
  }, [wasRestored, current]);

  return (
    <li>
      <div className={classes.row}>
        <span className={classes.number}>{number}</span>
        <div className={classes.what}>
          <p>
            {actionName(action)} {summary && <code>{summary}</code>}
            {current && (
              <span className={classes.current}>
                {isNewest ? t('skillPage.current') : t('skillPage.sameAsNow')}
              </span>
            )}
          </p>
          <p className={classes.facts}>
            <Facts revision={revision} />
          </p>
        </div>
        <div className={classes.actions}>
          <Button
            ref={changesButton}
            variant="default"
            size="xs"
            aria-expanded={isOpen}
            aria-controls={isOpen ? id : undefined}
            aria-label={t('skillPage.changesOf', { number })}
            onClick={() => setOpen(!isOpen)}
          >
            {t('skillPage.changes')}
          </Button>
          {mayRestore && (
            <Button
              variant="default"
              size="xs"
              aria-label={t('skillPage.restoreState', { number })}
              onClick={() => setRestoring(true)}
            >
              {t('skillPage.restore')}
            </Button>
          )}
        </div>
      </div>
      {isOpen && (
        <div id={id} className={classes.changes}>
          <RevisionChanges name={skill.name} revision={revision} isFirst={isFirst} />
        </div>
      )}
      <RestoreDialog
        skill={skill}
        revision={revision}
        opened={isRestoring}
        onClose={() => setRestoring(false)}
        onRestored={() => setRestored(true)}
      />
    </li>
  );
}

function Facts({ revision: { at, by, files, bytes: size, checksum } }: { revision: Revision }) {
  const { t } = useTranslation();
  const { bytes, date, relativeDate } = useFormat();
  return (
    <>
      <time dateTime={at} title={date(at)}>
        {relativeDate(at)}
      </time>
      {' · '}
      {by ?? t('skillPage.byNobody')}
      {checksum !== undefined && (
        <>
          {' · '}
          {t('skillPage.fileCount', { count: files })}, {bytes(size)}
        </>
      )}
    </>
  );
}
