import type { AdminSkillDetail } from '@knowhow/shared/skills/admin-skill';
import { type SkillVersion, skillVersionsApi } from '@knowhow/shared/skills/skill-versions';
import { Button, Checkbox } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { query } from '../../../api/query.ts';
import { useOverrideText } from '../../../ui/checks/use-override-text.ts';
import { FileChanges } from '../../../ui/files/file-changes.tsx';
import { LoadError } from '../../../ui/loading/load-error.tsx';
import { useRight } from '../../../ui/rights.ts';
import { CopyButton } from '../../../ui/text/copy-button.tsx';
import { useAppNames } from '../../../ui/text/use-app-names.ts';
import { useFormat } from '../../../ui/text/use-format.ts';
import { Rows } from '../rows.tsx';
import { PreviewButton } from './preview-version.tsx';
import { RestoreDialog } from './restore-dialog.tsx';
import { useActionName } from './use-action-name.ts';
import { useOriginName } from './use-origin-name.ts';
import { VersionFiles } from './version-files.tsx';
import classes from './version-row.module.css';

interface VersionRowProps {
  skill: AdminSkillDetail;
  version: SkillVersion;
  /** Number of the newest version. */
  newest: number | undefined;
  isSelected: boolean;
  /** Undefined if there is nothing to compare with. */
  onSelect: ((isSelected: boolean) => void) | undefined;
}

/** One version: who made it and why, and on demand its differences and its files. */
export function VersionRow(props: VersionRowProps) {
  const { skill, version, isSelected, onSelect } = props;
  const { t } = useTranslation();
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  const changesButton = useRef<HTMLButtonElement>(null);
  const { number, checksum, digest } = version;
  return (
    <li>
      <div className={classes.row}>
        <span className={classes.select}>
          {onSelect && (
            <Checkbox
              size="xs"
              aria-label={t('skillPage.selectVersion', { number })}
              checked={isSelected}
              disabled={checksum !== undefined && digest === undefined}
              onChange={(event) => onSelect(event.currentTarget.checked)}
            />
          )}
        </span>
        <span className={classes.number}>{number}</span>
        <div className={classes.what}>
          <Title version={version} />
          <Facts skill={skill} version={version} />
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
          {digest !== undefined && (
            <FileActions {...props} onRestored={() => changesButton.current?.focus()} />
          )}
        </div>
      </div>
      {isOpen && (
        <div id={id} className={classes.changes}>
          <VersionChanges name={skill.name} number={number} />
        </div>
      )}
    </li>
  );
}

type FileActionsProps = Pick<VersionRowProps, 'skill' | 'version' | 'newest'> & {
  onRestored: () => void;
};

/** Shows the files of a version, and restores them. */
function FileActions({ skill, version, newest, onRestored }: FileActionsProps) {
  const { t } = useTranslation();
  const [isViewed, setViewed] = useState(false);
  const [isRestoring, setRestoring] = useState(false);
  const { number, isCurrent } = version;
  const isManager = useRight('skills');
  return (
    <>
      <Button
        variant="default"
        size="xs"
        aria-label={t('skillPage.viewVersion', { number })}
        onClick={() => setViewed(true)}
      >
        {t('skillPage.view')}
      </Button>
      <VersionFiles
        name={skill.name}
        number={number}
        opened={isViewed}
        onClose={() => setViewed(false)}
      />
      {isManager && !isCurrent && <PreviewButton skill={skill} number={number} />}
      {isManager && skill.writable && !isCurrent && newest !== undefined && (
        <>
          <Button
            variant="default"
            size="xs"
            aria-label={t('skillPage.restoreVersion', { number })}
            onClick={() => setRestoring(true)}
          >
            {t('skillPage.restore')}
          </Button>
          <RestoreDialog
            skill={skill}
            version={version}
            newest={newest}
            opened={isRestoring}
            onClose={() => setRestoring(false)}
            onRestored={onRestored}
          />
        </>
      )}
    </>
  );
}

/** The author's message, otherwise what was done. */
function Title({ version: { message, action, summary, isCurrent } }: { version: SkillVersion }) {
  const { t } = useTranslation();
  const actionName = useActionName();
  return (
    <p className={classes.title}>
      {message || (
        <>
          {actionName(action)} {summary && <code>{summary}</code>}
        </>
      )}
      {isCurrent && <span className={classes.current}>{t('skillPage.current')}</span>}
    </p>
  );
}

function Facts({ skill, version }: Pick<VersionRowProps, 'skill' | 'version'>) {
  const { t, i18n } = useTranslation();
  const appNames = useAppNames();
  const { bytes, date, relativeDate } = useFormat();
  const originName = useOriginName();
  const actionName = useActionName();
  const overrideText = useOverrideText();
  const { number, created, author, reviewedBy, message, action, summary, digest, files, origin } =
    version;
  const apps = skill.pins.filter((pin) => pin.version === number).map(({ app }) => app);
  const list = new Intl.ListFormat(i18n.language);
  const done = message && [actionName(action), summary].filter(Boolean).join(' ');
  const facts = [
    author ?? t('skillPage.byNobody'),
    ...(reviewedBy === undefined ? [] : [t('skillPage.reviewedBy', { name: reviewedBy })]),
    ...(version.override ? [overrideText(version.override)] : []),
    ...(done ? [done] : []),
    ...(origin.kind === 'file-system' || (origin.kind === 'restore' && !message)
      ? []
      : [originName(origin)]),
    ...(digest === undefined
      ? []
      : [`${t('skillPage.fileCount', { count: files })}, ${bytes(version.bytes)}`]),
    ...(apps.length === 0
      ? []
      : [t('skillPage.pinnedIn', { apps: list.format(apps.map((id) => appNames.get(id) ?? id)) })]),
  ];
  return (
    <div className={classes.facts}>
      <time dateTime={created} title={date(created)}>
        {relativeDate(created)}
      </time>
      {facts.map((fact) => (
        <span key={fact}>{fact}</span>
      ))}
      {digest !== undefined && (
        <span className={classes.digest}>
          <code title={digest}>{digest.slice(0, 12)}</code>
          <CopyButton
            size={24}
            label={t('skillPage.copyDigest', { number })}
            textOf={() => digest}
          />
        </span>
      )}
    </div>
  );
}

interface VersionChangesProps {
  /** Name of the skill. */
  name: string;
  number: number;
}

/** The differences from the version before. */
function VersionChanges({ name, number }: VersionChangesProps) {
  const diff = useQuery(query(skillVersionsApi.diff, { params: { skill: name, number } }));
  return (
    <>
      <LoadError queries={[diff]} />
      {diff.isPending && <Rows />}
      {diff.data && <FileChanges changes={diff.data.changes} />}
    </>
  );
}
