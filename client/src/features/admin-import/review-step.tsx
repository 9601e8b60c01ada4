import { Problem } from '@knowhow/shared/problem';
import { repositoryName } from '@knowhow/shared/skills/git-commit';
import type { LeftOut, LeftOutReason } from '@knowhow/shared/skills/left-out';
import type { PublicationCheck } from '@knowhow/shared/skills/publication-checks';
import { Button } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type Override, useOverride } from '../../ui/checks/use-override.tsx';
import { focusHere } from '../../ui/focus/focus-here.ts';
import { Expander } from '../../ui/layout/expander.tsx';
import { ScrollingGroup } from '../../ui/layout/scrolling-group.tsx';
import { MoreButton } from '../../ui/more-button.tsx';
import { ReviewFilter } from '../../ui/review/review-filter.tsx';
import { useReview } from '../../ui/review/use-review.ts';
import { ErrorNote } from '../../ui/text/error-note.tsx';
import { CommitNote } from './commit-note.tsx';
import { chooseAll, isWorthInstalling, reportReview } from './filter-reports.ts';
import {
  type Choices,
  defaultChoices,
  finalName,
  getChoice,
  selectedSkills,
} from './import-plan.ts';
import { Issues } from './issues.tsx';
import classes from './review-step.module.css';
import { ReviewedSkill } from './reviewed-skill.tsx';
import { SourcePlugins } from './source-plugins.tsx';
import { Transfer } from './transfer.tsx';
import type { ImportSource, ImportStep } from './use-import.ts';
import { useNameErrors } from './use-name-faults.ts';

interface ReviewStepProps {
  review: Extract<ImportStep, { kind: 'review' }>;
  /** The skill whose page started the import: replacing it is suggested. */
  replaced: string | undefined;
  onInstall: (choices: Choices, override: Pick<Override, 'reason' | 'onError'>) => void;
  onClose: () => void;
}

/** The skills of an archive, and what to do with each. */
export function ReviewStep({ review: step, replaced, onInstall, onClose }: ReviewStepProps) {
  const { t } = useTranslation();
  const { report, installing, error, source } = step;
  const { skills, leftOut, plugins = [] } = report;
  const [choices, setChoices] = useState(() => defaultChoices(skills, replaced));
  const review = useReview(skills, reportReview);
  const faults = useNameErrors(skills, choices);
  const taken = selectedSkills(skills, choices);
  const override = useOverride(
    taken
      // The checks are about the skill under its own name.
      .filter((skill) => finalName(skill, choices) === skill.name)
      .flatMap(({ checks = [] }) => checks.map(({ id }) => id))
      .filter(isOverridable),
  );
  const replacing = taken.filter((skill) => getChoice(skill, choices).action === 'replace');

  function choose(changed: Choices) {
    // Another choice may pass the checks that the last one failed.
    override.reset();
    setChoices(changed);
  }

  if (installing !== undefined) {
    return <Transfer sent={installing} purpose="installing" />;
  }
  return (
    <>
      <div className={classes.scroll}>
        <h3 ref={focusHere} tabIndex={-1} className={classes.title}>
          {t('skillImport.found', { count: skills.length, name: nameOf(source) })}
        </h3>
        {source.kind === 'commit' && <CommitNote commit={source.commit} />}
        {review.isLong && (
          <ReviewFilter
            review={review}
            getName={(state, count) => t(stateTexts[state], { count })}
            selectable={review.shown.filter(isWorthInstalling).length}
            selected={taken}
            onChooseAll={(action) => choose(chooseAll(review.shown, choices, action))}
          />
        )}
        {review.shown.length === 0 && <p className={classes.none}>{t('skillImport.noneShown')}</p>}
        <ul className={classes.skills}>
          {review.rendered.map((skill) => (
            <ReviewedSkill
              key={skill.folder}
              skill={skill}
              choice={getChoice(skill, choices)}
              fault={faults.get(skill.folder)}
              onChoose={(choice) => choose({ ...choices, [skill.folder]: choice })}
            />
          ))}
        </ul>
        <MoreButton list={review.more} />
        <SourcePlugins plugins={plugins} />
        <LeftOutFiles leftOut={leftOut} />
      </div>
      <Foot
        error={error}
        override={override}
        taken={taken.length}
        replacing={replacing.length}
        faults={faults.size}
        onInstall={() => onInstall(choices, override)}
        onClose={onClose}
      />
    </>
  );
}

const stateTexts = {
  new: 'skillImport.states.new',
  changed: 'skillImport.states.changed',
  identical: 'skillImport.states.identical',
  needsReview: 'skillImport.states.needsReview',
  rejected: 'skillImport.states.rejected',
  findings: 'skillImport.states.findings',
} as const;

interface FootProps {
  error: unknown;
  override: Override;
  /** Numbers of selected skills, of those that replace others, and of wrong names. */
  taken: number;
  replacing: number;
  faults: number;
  onInstall: () => void;
  onClose: () => void;
}

/** Says what the installation will do, and has its buttons. */
function Foot({ error, override, taken, replacing, faults, onInstall, onClose }: FootProps) {
  const { t } = useTranslation();
  return (
    <div className={classes.foot}>
      {error !== undefined && <Failure error={error} />}
      {override.field}
      <div className={classes.actions}>
        <p className={classes.summary} role="status">
          {faults > 0
            ? t('skillImport.faults', { count: faults })
            : replacing > 0 && t('skillImport.replaces', { count: replacing })}
        </p>
        <Button variant="default" onClick={onClose}>
          {t('action.cancel')}
        </Button>
        <Button disabled={taken === 0 || faults > 0 || !override.isReady} onClick={onInstall}>
          {t('skillImport.install', { count: taken })}
        </Button>
      </div>
    </div>
  );
}

/** A block stops the import, whatever the reason. */
function isOverridable(check: PublicationCheck): boolean {
  return check !== 'blocked';
}

function nameOf(source: ImportSource): string {
  return source.kind === 'archive' ? source.file.name : repositoryName(source.commit.url);
}

/** Why the installation failed; the selection is kept. */
function Failure({ error }: { error: unknown }) {
  const { t } = useTranslation();
  const issues = error instanceof Problem ? (error.issues ?? []) : [];
  return (
    <ScrollingGroup className={classes.failure} label={t('skillImport.failure')}>
      <ErrorNote error={error} />
      {issues.length > 1 && <Issues issues={issues} />}
    </ScrollingGroup>
  );
}

const reasons = {
  'system-file': 'skillImport.leftOutWhy.system-file',
  'tool-folder': 'skillImport.leftOutWhy.tool-folder',
  link: 'skillImport.leftOutWhy.link',
  'back-slash': 'skillImport.leftOutWhy.back-slash',
  'special-file': 'skillImport.leftOutWhy.special-file',
  'too-large': 'skillImport.leftOutWhy.too-large',
  'no-skill': 'skillImport.leftOutWhy.no-skill',
} as const satisfies Record<LeftOutReason, string>;

/** Files of an archive that belong to no skill, and why. */
function LeftOutFiles({ leftOut }: { leftOut: readonly LeftOut[] }) {
  const { t } = useTranslation();
  const count = leftOut.reduce((sum, { files }) => sum + files, 0);
  if (count === 0) {
    return null;
  }
  return (
    <Expander summary={t('skillImport.leftOut', { count })}>
      <ul className={classes.leftOut}>
        {leftOut.map(({ path, files, why }) => (
          <li key={`${why} ${path}`}>
            {path === undefined ? (
              t('skillImport.leftOutMore', { count: files })
            ) : (
              <code>{path}</code>
            )}
            {path !== undefined && files > 1 && ` (${t('skillImport.files', { count: files })})`}
            {': '}
            {t(reasons[why])}
          </li>
        ))}
      </ul>
    </Expander>
  );
}
