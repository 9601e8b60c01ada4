import type {
  ProposedChange as Proposed,
  SkillSourceItem,
} from '@knowhow/shared/skills/skill-sources';
import { Button, Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useOverride } from '../../ui/checks/use-override.tsx';
import { MoreButton } from '../../ui/more-button.tsx';
import { ReviewFilter } from '../../ui/review/review-filter.tsx';
import { type Review, useReview } from '../../ui/review/use-review.ts';
import { ErrorNote } from '../../ui/text/error-note.tsx';
import classes from './admin-sources.module.css';
import { changeReview, changeStateTexts } from './change-review.ts';
import {
  countOpenConflicts,
  type MergeChoice,
  MergeShown,
  mergeAll,
  toResolution,
} from './merge.tsx';
import { ProposedChange } from './proposed-change.tsx';
import { proposalQuery, useApplyChanges } from './sources-query.ts';

/** The changes that the last sync found, and the choice among them. */
export function Proposal({ item: { source } }: { item: SkillSourceItem }) {
  const { t } = useTranslation();
  const { data, error, isPending, refetch } = useQuery(proposalQuery(source.id));
  const part = useFocusOfNew(data?.changes);
  const heading = <h2 className={classes.heading}>{t('sources.proposal')}</h2>;
  if (isPending) {
    return (
      <section className={classes.proposal} role="status" aria-label={t('state.loading')}>
        {heading}
        <Skeleton height={120} />
      </section>
    );
  }
  return (
    <section
      {...part}
      tabIndex={-1}
      aria-label={t('sources.proposal')}
      className={classes.proposal}
    >
      {heading}
      {error && <ErrorNote error={error} onRetry={() => refetch()} />}
      {data && <Changes id={source.id} changes={data.changes} />}
    </section>
  );
}

/** Moves the focus to a part whose changes are other ones now, if the button that had it is gone with them. */
function useFocusOfNew(changes: readonly Proposed[] | undefined) {
  const ref = useRef<HTMLElement>(null);
  const last = useRef<Element>(null);
  const before = useRef(changes);
  useEffect(() => {
    const isGone = last.current?.isConnected === false && document.activeElement === document.body;
    if (before.current !== changes && isGone) {
      ref.current?.focus();
    }
    before.current = changes;
  }, [changes]);
  const onFocus = ({ target }: { target: Element }) => {
    last.current = target;
  };
  return { ref, onFocus };
}

interface ChangesProps {
  /** The id of the source. */
  id: string;
  changes: readonly Proposed[];
}

/** The filter and the result of the last request outlive the choice: a request that is refused reloads the proposal. */
function Changes({ id, changes }: ChangesProps) {
  const { t } = useTranslation();
  const review = useReview(changes, changeReview);
  const apply = useApplyChanges(id);
  const keys = useMemo(() => changes.map(({ key }) => key).join(), [changes]);
  if (changes.length === 0) {
    return (
      <>
        <p className={classes.none}>{t('sources.nothing')}</p>
        <Result apply={apply} />
      </>
    );
  }
  // Another proposal starts with its own choice.
  return <Choice key={keys} id={id} changes={changes} review={review} apply={apply} />;
}

interface ChoiceProps extends ChangesProps {
  review: Review<Proposed, (typeof changeReview.states)[number]>;
  apply: ReturnType<typeof useApplyChanges>;
}

/** All changes are chosen that need no decision. */
function Choice({ id, changes, review, apply }: ChoiceProps) {
  const { t } = useTranslation();
  const override = useOverride();
  const [chosen, setChosen] = useState<ReadonlySet<string>>(() => findUndisputed(changes));
  const [choices, setChoices] = useState<ReadonlyMap<string, MergeChoice>>(() => new Map());
  const choiceOf = ({ key }: Proposed) => choices.get(key) ?? mergeAll;
  const taken = changes.filter(({ key }) => chosen.has(key));

  /** Another choice may pass the checks that the last one failed. */
  function reset() {
    override.reset();
    if (apply.error) {
      apply.reset();
    }
  }

  function choose(next: ReadonlySet<string>) {
    reset();
    setChosen(next);
  }

  function toggle(key: string) {
    const next = new Set(chosen);
    if (!next.delete(key)) {
      next.add(key);
    }
    choose(next);
  }

  function decide(decided: Iterable<[string, MergeChoice]>) {
    reset();
    setChoices(new Map([...choices, ...decided]));
  }

  return (
    <>
      {review.isLong && (
        <ReviewFilter
          review={review}
          getName={(state, count) => t(changeStateTexts[state], { count })}
          selectable={review.shown.filter(({ accepted }) => accepted).length}
          selected={taken}
          onChooseAll={(action) => choose(chooseAll(review.shown, chosen, action))}
        >
          <MergeShown
            shown={review.shown}
            choiceOf={choiceOf}
            onDecide={(merged, use) =>
              decide(merged.map((each) => [each.key, { ...choiceOf(each), use }]))
            }
          />
        </ReviewFilter>
      )}
      {review.shown.length === 0 ? (
        <p className={classes.none}>{t('skillImport.noneShown')}</p>
      ) : (
        <ul className={classes.changes}>
          {review.rendered.map((change) => (
            <ProposedChange
              key={change.key}
              source={id}
              change={change}
              isChosen={chosen.has(change.key)}
              onToggle={() => toggle(change.key)}
              choice={choiceOf(change)}
              onChoose={(choice) => decide([[change.key, choice]])}
            />
          ))}
        </ul>
      )}
      <MoreButton list={review.more} />
      <div className={classes.bar}>
        {override.field}
        <Result apply={apply} />
        <TakeActions taken={taken} choiceOf={choiceOf} apply={apply} override={override} />
      </div>
    </>
  );
}

interface TakeActionsProps {
  taken: readonly Proposed[];
  choiceOf: (change: Proposed) => MergeChoice;
  apply: ChoiceProps['apply'];
  override: ReturnType<typeof useOverride>;
}

/** Says what taking the changes does, and has its buttons. */
function TakeActions({ taken, choiceOf, apply, override }: TakeActionsProps) {
  const { t } = useTranslation();
  const undecided = taken.filter((each) => countOpenConflicts(each, choiceOf(each)) > 0).length;
  const isReady = taken.length > 0 && undecided === 0;
  const choice = () => ({
    take: taken.map(({ key }) => key),
    resolve: taken.flatMap((each) => toResolution(each, choiceOf(each)) ?? []),
  });
  return (
    <div className={classes.actions}>
      <Consequences taken={taken} choiceOf={choiceOf} undecided={undecided} />
      <Button
        variant="default"
        disabled={!isReady || taken.some((each) => !hasDraft(each, choiceOf(each)))}
        loading={apply.isPending && apply.variables.asDrafts === true}
        onClick={() => apply.mutate({ ...choice(), asDrafts: true })}
      >
        {t('sources.asDrafts')}
      </Button>
      <Button
        disabled={!isReady || !override.isReady}
        loading={apply.isPending && apply.variables.asDrafts !== true}
        onClick={() =>
          apply.mutate({ ...choice(), reason: override.reason }, { onError: override.onError })
        }
      >
        {t('sources.take', { count: taken.length })}
      </Button>
    </div>
  );
}

/** Why nothing was taken, or the drafts that were saved. */
function Result({ apply: { error, data } }: Pick<ChoiceProps, 'apply'>) {
  return (
    <>
      {error && <ErrorNote error={error} />}
      {data && <Drafted names={data.drafted} />}
    </>
  );
}

function isRemoval({ kind }: Proposed): boolean {
  return kind === 'removed';
}

/** Whether a change has other files than the skill here. A removed skill has none. */
function hasDraft(
  { merge, newFiles = 0, changedFiles = 0 }: Proposed,
  { use }: MergeChoice,
): boolean {
  return merge ? use !== 'ours' : newFiles + changedFiles > 0;
}

/** Leads to the drafts that were saved. */
function Drafted({ names }: { names: readonly string[] }) {
  const { t } = useTranslation();
  if (names.length === 0) {
    return null;
  }
  return (
    <div className={classes.drafted} role="status">
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
function findUndisputed(changes: readonly Proposed[]): ReadonlySet<string> {
  const undisputed = changes.filter(
    ({ accepted, conflict, failedChecks }) => accepted && !conflict && failedChecks.length === 0,
  );
  return new Set(undisputed.map(({ key }) => key));
}

/** Adds those of the shown changes that can be taken, or removes all shown ones. */
function chooseAll(
  shown: readonly Proposed[],
  chosen: ReadonlySet<string>,
  action: 'select' | 'skip',
): ReadonlySet<string> {
  const next = new Set(chosen);
  for (const { key, accepted } of shown) {
    if (action === 'skip') {
      next.delete(key);
    } else if (accepted) {
      next.add(key);
    }
  }
  return next;
}

interface ConsequencesProps extends Pick<TakeActionsProps, 'taken' | 'choiceOf'> {
  /** Number of skills with a conflict for which no side is chosen. */
  undecided: number;
}

/** The numbers of skills that are switched off, replaced, or undecided. */
function Consequences({ taken, choiceOf, undecided }: ConsequencesProps) {
  const { t } = useTranslation();
  const off = taken.filter(isRemoval).length;
  const overwritten = taken.filter(
    (each) => each.conflict && !toResolution(each, choiceOf(each)),
  ).length;
  const texts = [
    off > 0 && t('sources.switchesOff', { count: off }),
    overwritten > 0 && t('sources.overwrites', { count: overwritten }),
    undecided > 0 && t('sources.undecided', { count: undecided }),
    taken.some((each) => !hasDraft(each, choiceOf(each))) && t('sources.noDrafts'),
  ];
  return (
    <div className={classes.consequences} role="status">
      {texts.map((text) => text && <p key={text}>{text}</p>)}
    </div>
  );
}
