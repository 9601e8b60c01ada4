import { Trans, useTranslation } from 'react-i18next';
import badge from './layout/status-badge.module.css';
import classes from './runner-state.module.css';
import { revealHiddenCharacters } from './text/visible-text.ts';
import type { RunnerFacts } from './use-runner.ts';

/** The script runner with its status and languages, or how to set one up. */
export function RunnerState({ runner }: { runner: RunnerFacts }) {
  const { t } = useTranslation();
  const { tier, status, runtimes, refused } = runner;
  const languages = Object.entries(runtimes).map(([language, version]) =>
    `${names.get(language) ?? language} ${version}`.trim(),
  );
  return (
    <div className={classes.state}>
      <div className={classes.line}>
        <span className={badge.badge} data-status={looks[status]}>
          {t(statuses[status])}
        </span>
        <span>{tier ? t(tiers[tier]) : t('runner.noneText')}</span>
      </div>
      {languages.length > 0 && (
        <p className={classes.text}>
          {t('runner.languages', { languages: languages.join(' · ') })}
        </p>
      )}
      {status === 'away' && <p className={classes.text}>{t('runner.awayText')}</p>}
      {runner.warnings.map((warning) => (
        <p key={warning} className={classes.warning}>
          {revealHiddenCharacters(warning)}
        </p>
      ))}
      {status === 'none' && (
        <p className={classes.text}>
          <Trans
            i18nKey={runner.wanted ? 'runner.howToFix' : 'runner.howToGet'}
            components={{ code: <code /> }}
          />
        </p>
      )}
      {refused && (
        <p className={classes.text}>
          <Trans i18nKey="runner.refused" components={{ code: <code /> }} />
        </p>
      )}
    </div>
  );
}

const names: ReadonlyMap<string, string> = new Map([
  ['python', 'Python'],
  ['sh', 'Bash'],
  ['node', 'Node.js'],
]);

const tiers = {
  bubblewrap: 'runner.bubblewrap',
  container: 'runner.container',
  remote: 'runner.remote',
} as const;

const statuses = {
  ready: 'runner.ready',
  away: 'runner.away',
  none: 'runner.none',
} as const satisfies Record<RunnerFacts['status'], string>;

const looks = {
  ready: 'on',
  away: 'broken',
  none: 'off',
} as const satisfies Record<RunnerFacts['status'], string>;
