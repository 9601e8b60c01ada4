import type { AdminSkillDetail } from '@knowhow/shared/skills/admin-skill';
import { Skeleton } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { Section } from '../../../ui/layout/section.tsx';
import { SwitchRow } from '../../../ui/layout/switch-row.tsx';
import { RunnerState } from '../../../ui/runner-state.tsx';
import { ErrorNote } from '../../../ui/text/error-note.tsx';
import { revealHiddenCharacters } from '../../../ui/text/visible-text.ts';
import { type RunnerFacts, useRunner } from '../../../ui/use-runner.ts';
import settingsClasses from '../settings/skill-settings.module.css';
import { skillFilePath } from '../skill-path.ts';
import { useSkillUpdate } from '../use-skill-update.ts';
import classes from './skill-scripts.module.css';

/** Whether the scripts of a skill may run, and in which runner; renders nothing without scripts. */
export function SkillScripts({ skill }: { skill: AdminSkillDetail }) {
  return skill.scripts.files.length > 0 && <Scripts skill={skill} />;
}

function Scripts({ skill }: { skill: AdminSkillDetail }) {
  const { t } = useTranslation();
  const runner = useRunner();
  return (
    <Section title={t('skillScripts.title')} text={t('skillScripts.text')}>
      {runner.error && <ErrorNote error={runner.error} onRetry={() => runner.refetch()} />}
      {runner.isPending && (
        <div role="status" aria-label={t('state.loading')}>
          <Skeleton height={160} />
        </div>
      )}
      {runner.data && (
        <div className={settingsClasses.box}>
          <RunnerState runner={runner.data} />
          <Files skill={skill} />
          <MayRun skill={skill} runner={runner.data} />
          <Approval skill={skill} />
        </div>
      )}
    </Section>
  );
}

const shownFiles = 5;

function Files({ skill: { name, scripts } }: { skill: AdminSkillDetail }) {
  const { t } = useTranslation();
  const more = scripts.files.length - shownFiles;
  return (
    <ul className={classes.files} aria-label={t('skillScripts.files')}>
      {scripts.files.slice(0, shownFiles).map((path) => (
        <li key={path}>
          <Link to={skillFilePath(name, path)}>{revealHiddenCharacters(path)}</Link>
        </li>
      ))}
      {more > 0 && <li>{t('skillScripts.more', { count: more })}</li>}
    </ul>
  );
}

function MayRun({ skill, runner }: { skill: AdminSkillDetail; runner: RunnerFacts }) {
  const { t } = useTranslation();
  const { update } = useSkillUpdate(skill);
  const { scripts, displayName: name } = skill;
  const { allowed } = scripts;
  const isPossible = runner.status !== 'none' && !runner.refused;
  return (
    <SwitchRow
      label={t('skillScripts.mayRun')}
      text={t(isPossible ? 'skillScripts.mayRunText' : 'skillScripts.cannotRun')}
      checked={allowed}
      disabled={!isPossible && !allowed}
      onChange={(checked) =>
        update({
          change: { allowScriptExecution: checked },
          shown: { scripts: { ...scripts, allowed: checked } },
          done: {
            message: t(checked ? 'skillScripts.nowRun' : 'skillScripts.runNoMore', { name }),
            back: () => ({ allowScriptExecution: allowed }),
          },
        })
      }
    />
  );
}

/** Whether users are asked before a script runs: bound to the reviewed files. */
function Approval({ skill }: { skill: AdminSkillDetail }) {
  const { t } = useTranslation();
  const { update } = useSkillUpdate(skill);
  const { checksum, scripts, displayName: name } = skill;
  const { allowed, approved, outdated } = scripts;
  return (
    <SwitchRow
      label={t('skillScripts.approve')}
      text={t(outdated ? 'skillScripts.approvalOutdated' : 'skillScripts.approveText')}
      checked={approved}
      disabled={!allowed && !approved}
      onChange={(checked) =>
        update({
          change: { approvedScripts: checked ? checksum : '' },
          shown: { scripts: { ...scripts, approved: checked, outdated: false } },
          done: {
            message: t(checked ? 'skillScripts.nowApproved' : 'skillScripts.askedAgain', { name }),
            back: () => ({ approvedScripts: approved ? checksum : '' }),
          },
        })
      }
    />
  );
}
