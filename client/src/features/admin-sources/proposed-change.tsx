import type { ProposedChange as Proposed } from '@knowhow/shared/skills/skill-sources';
import { Checkbox } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { checkTexts } from '../../ui/checks/check-texts.ts';
import { DiagnosticsList } from '../../ui/diagnostics-list.tsx';
import { FileChanges } from '../../ui/files/file-changes.tsx';
import { Expander } from '../../ui/layout/expander.tsx';
import { TwoLines } from '../../ui/text/two-lines.tsx';
import { revealHiddenCharacters } from '../../ui/text/visible-text.ts';
import classes from './admin-sources.module.css';
import { ChangeFiles } from './change-files.tsx';
import { Merge, type MergeChoice } from './merge.tsx';

interface ProposedChangeProps {
  /** The id of the source. */
  source: string;
  change: Proposed;
  isChosen: boolean;
  onToggle: () => void;
  choice: MergeChoice;
  onChoose: (choice: MergeChoice) => void;
}

/** A proposed change: the skill, what needs a decision, and its files. */
export function ProposedChange(props: ProposedChangeProps) {
  const { source, change, isChosen, onToggle, choice, onChoose } = props;
  const { t, i18n } = useTranslation();
  const { failedChecks, kind, name, path, description, conflict, accepted } = change;
  const before = change.nameBefore ?? change.pathBefore;
  return (
    <li className={classes.change}>
      <div className={classes.head}>
        <Checkbox
          label={revealHiddenCharacters(name)}
          disabled={!accepted}
          checked={isChosen}
          onChange={onToggle}
        />
        <span className={classes.kind} data-kind={kind}>
          {t(kindNames[kind])}
        </span>
        <code className={classes.path}>{revealHiddenCharacters(path)}</code>
      </div>
      {description !== '' && (
        <div className={classes.description}>
          <TwoLines text={revealHiddenCharacters(description)} />
        </div>
      )}
      {before !== undefined && (
        <p className={classes.note}>
          {t('sources.before', { name: revealHiddenCharacters(before) })}
        </p>
      )}
      {conflict && <p className={classes.conflict}>{t(conflictTexts[conflict])}</p>}
      {failedChecks.length > 0 && (
        <p className={classes.conflict}>
          {t('sources.failedChecks', {
            count: failedChecks.length,
            checks: new Intl.ListFormat(i18n.language).format(
              failedChecks.map((check) => t(checkTexts[check].name)),
            ),
          })}
        </p>
      )}
      {!accepted && <DiagnosticsList diagnostics={change.diagnostics} />}
      {accepted && <Merge source={source} change={change} choice={choice} onChoose={onChoose} />}
      <Files source={source} change={change} />
    </li>
  );
}

/** The files that differ, or all files of a skill that is not installed here. */
function Files({ source, change }: Pick<ProposedChangeProps, 'source' | 'change'>) {
  const { t } = useTranslation();
  const { newFiles = 0, changedFiles = 0 } = change;
  if (newFiles + changedFiles === 0) {
    return null;
  }
  return (
    <Expander
      summary={
        newFiles > 0
          ? t('sources.newFiles', { count: newFiles })
          : t('skillImport.changes', { count: changedFiles })
      }
    >
      <ChangeFiles source={source} change={change}>
        {({ changes }) => <FileChanges changes={changes} />}
      </ChangeFiles>
    </Expander>
  );
}

const kindNames = {
  added: 'sources.kinds.added',
  changed: 'sources.kinds.changed',
  removed: 'sources.kinds.removed',
  renamed: 'sources.kinds.renamed',
} as const;

const conflictTexts = {
  edited: 'sources.edited',
  'name-taken': 'sources.nameTaken',
} as const;
