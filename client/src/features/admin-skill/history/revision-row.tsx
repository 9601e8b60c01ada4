import type { AdminSkillDetail } from '@knowhow/shared/skills/admin-skill';
import type { Revision } from '@knowhow/shared/skills/skill-history';
import { skillHistoryApi } from '@knowhow/shared/skills/skill-history';
import { Button, SegmentedControl } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { query } from '../../../api/query.ts';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { FileChanges } from '../../../ui/files/file-changes.tsx';
import { LoadError } from '../../../ui/loading/load-error.tsx';
import { useFormat } from '../../../ui/text/use-format.ts';
import { Rows } from '../rows.tsx';
import { WriteError } from '../write-error.tsx';
import classes from './revision-row.module.css';
import { useActionName } from './use-action-name.ts';
import { useRestore } from './use-restore.ts';

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

interface RevisionChangesProps {
  /** Name of the skill. */
  name: string;
  revision: Revision;
  isFirst: boolean;
}

type Against = 'previous' | 'current';

/** The differences from the previous version, or from the current files. */
function RevisionChanges({ name, revision, isFirst }: RevisionChangesProps) {
  const { t } = useTranslation();
  const [against, setAgainst] = useState<Against>(isFirst ? 'current' : 'previous');
  const changes = useQuery({
    ...query(skillHistoryApi.revision, {
      params: { name, revision: revision.number },
      query: { against },
    }),
    placeholderData: keepPreviousData,
  });
  return (
    <>
      {!isFirst && (
        <SegmentedControl
          aria-label={t('skillPage.compareWith')}
          size="xs"
          value={against}
          onChange={(value) => setAgainst(value as Against)}
          data={[
            { value: 'previous', label: t('skillPage.againstPrevious') },
            { value: 'current', label: t('skillPage.againstCurrent') },
          ]}
        />
      )}
      <LoadError queries={[changes]} />
      {changes.isPending && <Rows />}
      {changes.data && <FileChanges changes={changes.data.changes} />}
    </>
  );
}

interface RestoreDialogProps {
  skill: AdminSkillDetail;
  revision: Revision;
  opened: boolean;
  onClose: () => void;
  onRestored: () => void;
}

function RestoreDialog(props: RestoreDialogProps) {
  const { skill, revision, opened, onClose, onRestored } = props;
  const { t } = useTranslation();
  const { date } = useFormat();
  const { number, at } = revision;
  const restoreState = useRestore(skill.name);
  const restore = useMutation({
    mutationFn: () => restoreState({ revision: number, ifMatch: skill.checksum }),
    onSuccess: () => {
      onClose();
      onRestored();
      notifications.show({
        message: t('skillPage.restored', { number }),
        closeButtonProps: { 'aria-label': t('action.close') },
      });
    },
  });

  function close() {
    restore.reset();
    onClose();
  }

  return (
    <ConfirmDialog
      title={t('skillPage.restoreTitle', { number })}
      opened={opened}
      onClose={close}
      onConfirm={() => restore.mutate()}
      confirmLabel={t('skillPage.restore')}
      isBusy={restore.isPending}
    >
      <p>{t('skillPage.restoreText', { date: date(at) })}</p>
      {restore.error && <WriteError error={restore.error} onReloaded={restore.reset} />}
    </ConfirmDialog>
  );
}
