import type { Hunk, VersionChange } from '@knowhow/shared/skills/file-changes';
import { UnstyledButton } from '@mantine/core';
import { IconChevronRight } from '@tabler/icons-react';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ScrollingGroup } from '../layout/scrolling-group.tsx';
import { useFormat } from '../text/use-format.ts';
import classes from './file-changes.module.css';
import { hunkRows, splitRows } from './hunk-rows.ts';

interface FileChangesProps {
  changes: VersionChange[];
  /** Shows old and new text in two columns. */
  isSplit?: boolean;
}

/** The differences of files between two states: one collapsible part per file, short ones expanded. */
export function FileChanges({ changes, isSplit = false }: FileChangesProps) {
  const { t } = useTranslation();
  if (changes.length === 0) {
    return <p className={classes.none}>{t('adminParts.noChanges')}</p>;
  }
  const open = findExpandedPaths(changes);
  return (
    <ul className={classes.files}>
      {changes.map((change) => (
        <ChangedFile
          key={change.path}
          change={change}
          isSplit={isSplit}
          initiallyOpen={open.has(change.path)}
        />
      ))}
    </ul>
  );
}

interface ChangedFileProps {
  change: VersionChange;
  isSplit: boolean;
  initiallyOpen: boolean;
}

function ChangedFile({ change, isSplit, initiallyOpen }: ChangedFileProps) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(initiallyOpen);
  const id = useId();
  const { path, pathBefore, hunks } = change;
  return (
    <li className={classes.file}>
      <UnstyledButton
        className={classes.head}
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onClick={() => setOpen(!isOpen)}
      >
        <IconChevronRight className={classes.chevron} size={16} aria-hidden />
        <span className={classes.path}>{path}</span>{' '}
        {pathBefore !== undefined && (
          <span className={classes.facts}>{t('adminParts.renamedFrom', { path: pathBefore })}</span>
        )}{' '}
        <span className={classes.facts}>
          <span>{t(words[change.change])}</span> {hunks && <Counts hunks={hunks} />}{' '}
          <Sizes change={change} />
        </span>
      </UnstyledButton>
      {isOpen && (
        <div id={id} className={classes.content}>
          {hunks ? (
            <Lines path={path} hunks={hunks} isSplit={isSplit} />
          ) : (
            <p className={classes.none}>
              {t(change.change === 'renamed' ? 'adminParts.noChanges' : 'adminParts.notCompared')}
            </p>
          )}
        </div>
      )}
    </li>
  );
}

function Counts({ hunks }: { hunks: Hunk[] }) {
  const { t } = useTranslation();
  const { number } = useFormat();
  const count = (sign: string) =>
    hunks.flatMap(({ lines }) => lines).filter((line) => line.startsWith(sign)).length;
  const [added, removed] = [count('+'), count('-')];
  return (
    <span role="img" aria-label={t('adminParts.lineCounts', { added, removed })}>
      <span className={classes.addedCount}>+{number(added)}</span>{' '}
      <span className={classes.removedCount}>−{number(removed)}</span>
    </span>
  );
}

function Sizes({ change: { bytesBefore, bytesAfter } }: { change: VersionChange }) {
  const { bytes } = useFormat();
  const sizes = [bytesBefore, bytesAfter].filter((size) => size !== undefined);
  return <span>{[...new Set(sizes)].map(bytes).join(' → ')}</span>;
}

function Lines({ path, hunks, isSplit }: { path: string; hunks: Hunk[]; isSplit: boolean }) {
  const { t } = useTranslation();
  const HunkLines = isSplit ? SplitLines : UnifiedLines;
  return (
    <ScrollingGroup className={classes.lines} label={t('adminParts.changesOf', { path })}>
      <table>
        {hunks.map((hunk) => (
          <tbody key={hunk.newStart + hunk.oldStart}>
            <HunkLines hunk={hunk} />
          </tbody>
        ))}
      </table>
    </ScrollingGroup>
  );
}

function UnifiedLines({ hunk }: { hunk: Hunk }) {
  return hunkRows(hunk).map(({ key, sign, before, after, text }) => (
    <tr key={key} data-sign={sign}>
      <td className={classes.number}>{before}</td>
      <td className={classes.number}>{after}</td>
      <td className={classes.sign}>{sign}</td>
      <td className={classes.text}>{text}</td>
    </tr>
  ));
}

function SplitLines({ hunk }: { hunk: Hunk }) {
  return splitRows(hunk).map(({ key, old, now }) => (
    <tr key={key}>
      <td className={classes.number}>{old?.before}</td>
      <td className={classes.half} data-sign={old?.sign}>
        {old?.text}
      </td>
      <td className={classes.number}>{now?.after}</td>
      <td className={classes.half} data-sign={now?.sign}>
        {now?.text}
      </td>
    </tr>
  ));
}

/** Paths of the expanded files: as many as fit on a screen. */
function findExpandedPaths(changes: VersionChange[]): Set<string> {
  const open = new Set<string>();
  let lines = 0;
  for (const { path, hunks } of changes) {
    lines += (hunks ?? []).reduce((sum, hunk) => sum + hunk.lines.length, 0);
    if (hunks && lines <= 120) {
      open.add(path);
    }
  }
  return open;
}

const words = {
  added: 'adminParts.added',
  changed: 'adminParts.changed',
  removed: 'adminParts.removed',
  renamed: 'adminParts.renamed',
} as const;
