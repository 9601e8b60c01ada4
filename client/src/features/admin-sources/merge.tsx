import type {
  MergedFile,
  ProposedChange,
  Resolution,
  SourceMerge,
} from '@knowhow/shared/skills/skill-sources';
import { NativeSelect, Radio } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { FileChanges } from '../../ui/files/file-changes.tsx';
import { Expander } from '../../ui/layout/expander.tsx';
import { revealHiddenCharacters } from '../../ui/text/visible-text.ts';
import classes from './admin-sources.module.css';
import { ChangeFiles } from './change-files.tsx';

type Side = 'ours' | 'theirs';

/** How a change of a skill that was edited here is taken. */
export interface MergeChoice {
  use: 'merge' | Side;
  /** The side for each file with a conflict. */
  files: ReadonlyMap<string, Side>;
}

export const mergeAll: MergeChoice = { use: 'merge', files: new Map() };

/** Number of files with a conflict for which no side is chosen. */
export function countOpenConflicts({ merge }: ProposedChange, { use, files }: MergeChoice): number {
  return merge && use === 'merge' ? merge.conflicts - files.size : 0;
}

/** The choice as it is sent; undefined if the files of the source replace the edits. */
export function toResolution(
  { key, merge }: ProposedChange,
  { use, files }: MergeChoice,
): Resolution | undefined {
  return merge && use !== 'theirs'
    ? {
        ...{ key, use, checksum: merge.checksum },
        ...(use === 'merge' && files.size > 0
          ? { files: [...files].map(([path, side]) => ({ path, use: side })) }
          : {}),
      }
    : undefined;
}

interface MergeProps {
  /** The id of the source. */
  source: string;
  change: ProposedChange;
  choice: MergeChoice;
  onChoose: (choice: MergeChoice) => void;
}

/** The choice between the files of the source, those here, and both, with all files that differ. */
export function Merge({ source, change, choice, onChoose }: MergeProps) {
  const { t } = useTranslation();
  const { merge, name } = change;
  if (!merge) {
    return null;
  }
  const open = countOpenConflicts(change, choice);
  return (
    <>
      <Radio.Group
        label={t('sources.merge.how', { name: revealHiddenCharacters(name) })}
        value={choice.use}
        onChange={(use) => onChoose({ ...choice, use: use as MergeChoice['use'] })}
      >
        <div className={classes.ways}>
          <Radio value="merge" label={t('sources.merge.merge')} />
          <Radio value="ours" label={t('sources.merge.ours')} />
          <Radio value="theirs" label={t('sources.merge.theirs')} />
        </div>
      </Radio.Group>
      {!merge.hasBase && <p className={classes.note}>{t('sources.merge.noBase')}</p>}
      {open > 0 && <p className={classes.conflict}>{t('sources.merge.open', { count: open })}</p>}
      <Expander summary={t('sources.merge.files', { count: merge.files })}>
        <ChangeFiles source={source} change={change}>
          {({ merge: both }) =>
            both && <ComparedFiles merge={both} choice={choice} onChoose={onChoose} />
          }
        </ChangeFiles>
      </Expander>
    </>
  );
}

interface MergeShownProps {
  /** All changes that the filter shows. */
  shown: readonly ProposedChange[];
  choiceOf: (change: ProposedChange) => MergeChoice;
  onDecide: (merged: readonly ProposedChange[], use: MergeChoice['use']) => void;
}

/** Decides how all shown skills that were edited here are taken. */
export function MergeShown({ shown, choiceOf, onDecide }: MergeShownProps) {
  const { t } = useTranslation();
  const merged = shown.filter(({ accepted, merge }) => accepted && merge);
  const uses = new Set(merged.map((each) => choiceOf(each).use));
  const [use] = uses;
  if (use === undefined) {
    return null;
  }
  const mixed = { value: '', label: t('sources.merge.mixed'), disabled: true };
  return (
    <NativeSelect
      classNames={{ root: classes.shown }}
      label={t('sources.merge.shown', { count: merged.length })}
      size="xs"
      value={uses.size > 1 ? '' : use}
      onChange={({ currentTarget }) => onDecide(merged, currentTarget.value as MergeChoice['use'])}
      data={[
        ...(uses.size > 1 ? [mixed] : []),
        { value: 'merge', label: t('sources.merge.merge') },
        { value: 'ours', label: t('sources.merge.ours') },
        { value: 'theirs', label: t('sources.merge.theirs') },
      ]}
    />
  );
}

interface ComparedFilesProps extends Pick<MergeProps, 'choice' | 'onChoose'> {
  merge: SourceMerge;
}

/** The files that either side changed, with the choice of a side for each conflict. */
function ComparedFiles({ merge: { files, unchanged }, choice, onChoose }: ComparedFilesProps) {
  const { t } = useTranslation();
  return (
    <>
      <ul className={classes.merged}>
        {files.map((file) => (
          <ComparedFile
            key={file.path}
            file={file}
            side={choice.files.get(file.path)}
            onChoose={
              choice.use === 'merge' && file.state === 'conflict'
                ? (side) =>
                    onChoose({ ...choice, files: new Map(choice.files).set(file.path, side) })
                : undefined
            }
          />
        ))}
      </ul>
      {unchanged > 0 && (
        <p className={classes.note}>{t('sources.merge.unchanged', { count: unchanged })}</p>
      )}
    </>
  );
}

interface ComparedFileProps {
  file: MergedFile;
  side: Side | undefined;
  onChoose: ((side: Side) => void) | undefined;
}

/** A file with what the source and this server changed. */
function ComparedFile({ file, side, onChoose }: ComparedFileProps) {
  const { t } = useTranslation();
  const path = revealHiddenCharacters(file.path);
  return (
    <li>
      <div className={classes.head}>
        <code>{path}</code>
        <span className={classes.kind} data-kind={file.state}>
          {t(stateNames[file.state])}
        </span>
        {onChoose && (
          <NativeSelect
            aria-label={t('sources.merge.side', { path })}
            size="xs"
            value={side ?? ''}
            onChange={({ currentTarget }) => onChoose(currentTarget.value as Side)}
            data={[
              { value: '', label: t('sources.merge.choose'), disabled: true },
              { value: 'theirs', label: t('sources.merge.fromSource') },
              { value: 'ours', label: t('sources.merge.fromHere') },
            ]}
          />
        )}
      </div>
      {file.theirs && file.state !== 'same' && (
        <>
          <p className={classes.note}>{t('sources.merge.inSource')}</p>
          <FileChanges changes={[file.theirs]} />
        </>
      )}
      {file.ours && (
        <>
          <p className={classes.note}>
            {t(file.state === 'same' ? 'sources.merge.inBoth' : 'sources.merge.here')}
          </p>
          <FileChanges changes={[file.ours]} />
        </>
      )}
    </li>
  );
}

const stateNames = {
  theirs: 'sources.merge.states.theirs',
  ours: 'sources.merge.states.ours',
  same: 'sources.merge.states.same',
  merged: 'sources.merge.states.merged',
  conflict: 'sources.merge.states.conflict',
} as const;
