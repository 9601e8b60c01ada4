import type { ProposedChange, SkillSourceItem } from '@knowhow/shared/skills/skill-sources';
import { Button, Checkbox, Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { checkTexts } from '../../ui/checks/check-texts.ts';
import { useOverride } from '../../ui/checks/use-override.tsx';
import { DiagnosticsList } from '../../ui/diagnostics-list.tsx';
import { FileChanges } from '../../ui/files/file-changes.tsx';
import { Expander } from '../../ui/layout/expander.tsx';
import { MoreButton } from '../../ui/more-button.tsx';
import { ErrorNote } from '../../ui/text/error-note.tsx';
import { revealHiddenCharacters } from '../../ui/text/visible-text.ts';
import classes from './admin-sources.module.css';
import { findOpenConflicts, Merge, type MergeChoice, mergeAll, toResolution } from './merge.tsx';
import { type NewSkill, newFilesQuery, proposalQuery, useApplyChanges } from './sources-query.ts';

/** The changes that the last sync found, and the choice among them. */
export function Proposal({ item: { source } }: { item: SkillSourceItem }) {
  const { t } = useTranslation();
  const { data, error, isPending, refetch } = useQuery(proposalQuery(source.id));
  const heading = <h2 className={classes.heading}>{t('sources.proposal')}</h2>;
  if (error) {
    return (
      <section className={classes.proposal}>
        {heading}
        <ErrorNote error={error} onRetry={() => refetch()} />
      </section>
    );
  }
  if (isPending) {
    return (
      <section className={classes.proposal} role="status" aria-label={t('state.loading')}>
        {heading}
        <Skeleton height={120} />
      </section>
    );
  }
  return (
    <section className={classes.proposal}>
      {heading}
      {data.changes.length === 0 ? (
        <p className={classes.none}>{t('sources.nothing')}</p>
      ) : (
        // Another proposal starts with its own choice.
        <Choice
          key={data.changes.map(({ key }) => key).join()}
          id={source.id}
          commit={data.commit?.commit}
          changes={data.changes}
        />
      )}
    </section>
  );
}

interface ChoiceProps {
  id: string;
  /** The commit of the changes; undefined if no commit was seen. */
  commit: string | undefined;
  changes: readonly ProposedChange[];
}

/** All changes are chosen that need no decision. */
function Choice({ id, commit, changes }: ChoiceProps) {
  const { t } = useTranslation();
  const apply = useApplyChanges(id);
  const override = useOverride();
  const open = changes.filter(({ accepted }) => accepted);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(() => findUndisputed(open));
  const [choices, setChoices] = useState<ReadonlyMap<string, MergeChoice>>(() => new Map());
  const choiceOf = ({ key }: ProposedChange) => choices.get(key) ?? mergeAll;
  const taken = open.filter(({ key }) => chosen.has(key));
  const isUndecided = taken.some((each) => findOpenConflicts(each, choiceOf(each)).length > 0);
  const isAll = taken.length === open.length;

  /** Another choice may pass the checks that the last one failed. */
  function choose(next: ReadonlySet<string>) {
    override.reset();
    setChosen(next);
  }

  function toggle(key: string) {
    const next = new Set(chosen);
    if (!next.delete(key)) {
      next.add(key);
    }
    choose(next);
  }

  const choice = () => ({
    take: taken.map(({ key }) => key),
    resolve: taken.flatMap((each) => toResolution(each, choiceOf(each)) ?? []),
  });

  return (
    <>
      {open.length > 1 && (
        <Checkbox
          className={classes.all}
          label={t('sources.all', { count: open.length })}
          checked={isAll}
          indeterminate={!isAll && taken.length > 0}
          onChange={() => choose(new Set(isAll ? [] : open.map(({ key }) => key)))}
        />
      )}
      <Changes
        changes={changes}
        source={{ id, commit }}
        chosen={chosen}
        onToggle={toggle}
        choiceOf={choiceOf}
        onChoose={(key, choice) => {
          override.reset();
          setChoices(new Map(choices).set(key, choice));
        }}
      />
      {override.field}
      {apply.error && <ErrorNote error={apply.error} />}
      {apply.data && <Drafted names={apply.data.drafted} />}
      <div className={classes.actions}>
        <Consequences taken={taken} choiceOf={choiceOf} />
        <Button
          variant="default"
          disabled={taken.length === 0 || isUndecided || taken.some(isRemoval)}
          loading={apply.isPending && apply.variables.asDrafts === true}
          onClick={() => apply.mutate({ ...choice(), asDrafts: true })}
        >
          {t('sources.asDrafts')}
        </Button>
        <Button
          disabled={taken.length === 0 || isUndecided || !override.isReady}
          loading={apply.isPending && apply.variables.asDrafts !== true}
          onClick={() =>
            apply.mutate({ ...choice(), reason: override.reason }, { onError: override.onError })
          }
        >
          {t('sources.take', { count: taken.length })}
        </Button>
      </div>
    </>
  );
}

/** A removed skill has no files for a draft. */
function isRemoval({ kind }: ProposedChange): boolean {
  return kind === 'removed';
}

/** Leads to the drafts that were saved. */
function Drafted({ names }: { names: readonly string[] }) {
  const { t } = useTranslation();
  if (names.length === 0) {
    return null;
  }
  return (
    <div role="status">
      {t('sources.drafted', { count: names.length })}
      <ul>
        {names.map((name) => (
          <li key={name}>
            <Link to={`/admin/skills/${encodeURIComponent(name)}`}>{name}</Link>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Keys of changes that need no decision. */
function findUndisputed(open: readonly ProposedChange[]): ReadonlySet<string> {
  const undisputed = open.filter(
    ({ conflict, failedChecks }) => !conflict && failedChecks.length === 0,
  );
  return new Set(undisputed.map(({ key }) => key));
}

interface ConsequencesProps {
  taken: readonly ProposedChange[];
  choiceOf: (change: ProposedChange) => MergeChoice;
}

/** The numbers of skills that are switched off or replaced. */
function Consequences({ taken, choiceOf }: ConsequencesProps) {
  const { t } = useTranslation();
  const off = taken.filter(({ kind }) => kind === 'removed').length;
  const overwritten = taken.filter(
    (each) => each.conflict && !toResolution(each, choiceOf(each)),
  ).length;
  return (
    <p role="status">
      {off > 0 && t('sources.switchesOff', { count: off })}{' '}
      {overwritten > 0 && t('sources.overwrites', { count: overwritten })}
    </p>
  );
}

/** Changes shown at once: each has differences. */
const perPage = 50;

interface ChangesProps {
  changes: readonly ProposedChange[];
  source: Pick<ChoiceProps, 'id' | 'commit'>;
  /** The keys of the changes that are taken. */
  chosen: ReadonlySet<string>;
  onToggle: (key: string) => void;
  choiceOf: (change: ProposedChange) => MergeChoice;
  onChoose: (key: string, choice: MergeChoice) => void;
}

/** All changes, page by page. */
function Changes({ changes, source, chosen, onToggle, choiceOf, onChoose }: ChangesProps) {
  const [pages, setPages] = useState(1);
  return (
    <>
      <ul className={classes.changes}>
        {changes.slice(0, pages * perPage).map((change) => (
          <Change
            key={change.key}
            change={change}
            source={source}
            isChosen={chosen.has(change.key)}
            onToggle={() => onToggle(change.key)}
            choice={choiceOf(change)}
            onChoose={(choice) => onChoose(change.key, choice)}
          />
        ))}
      </ul>
      <MoreButton
        list={{
          hasNextPage: changes.length > pages * perPage,
          isFetchingNextPage: false,
          fetchNextPage: () => setPages(pages + 1),
        }}
      />
    </>
  );
}

interface ChangeProps {
  change: ProposedChange;
  source: Pick<ChoiceProps, 'id' | 'commit'>;
  isChosen: boolean;
  onToggle: () => void;
  choice: MergeChoice;
  onChoose: (choice: MergeChoice) => void;
}

function Change({ change, source, isChosen, onToggle, choice, onChoose }: ChangeProps) {
  const { t, i18n } = useTranslation();
  const { failedChecks, kind, name, path, nameBefore, pathBefore, conflict, accepted } = change;
  const before = nameBefore ?? pathBefore;
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
      {accepted && <Merge change={change} choice={choice} onChoose={onChoose} />}
      {!change.merge && change.changes.length > 0 && (
        <Expander summary={t('skillImport.changes', { count: change.changes.length })}>
          <FileChanges changes={change.changes} />
        </Expander>
      )}
      <NewFiles change={change} source={source} />
    </li>
  );
}

/** The files of a skill that is not installed here, loaded when the section is opened. */
function NewFiles({ change, source: { id, commit } }: Pick<ChangeProps, 'change' | 'source'>) {
  const { t } = useTranslation();
  const { name, path, newFiles = 0 } = change;
  if (commit === undefined || newFiles === 0) {
    return null;
  }
  return (
    <Expander summary={t('sources.newFiles', { count: newFiles })}>
      <LoadedFiles id={id} skill={{ commit, name, path }} />
    </Expander>
  );
}

function LoadedFiles({ id, skill }: { id: string; skill: NewSkill }) {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery(newFilesQuery(id, skill));
  if (error) {
    return <ErrorNote error={error} onRetry={() => refetch()} />;
  }
  return data ? (
    <FileChanges changes={data.changes} />
  ) : (
    <div role="status" aria-label={t('state.loading')}>
      <Skeleton height={60} />
    </div>
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
