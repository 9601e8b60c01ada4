import type { ClaimTrial } from '@knowhow/shared/access/admin-sign-in';
import { useTranslation } from 'react-i18next';
import classes from './admin-sign-in.module.css';

/** The result of a claims mapping test. */
export function ClaimsTestResult({ trial }: { trial: ClaimTrial }) {
  const { t } = useTranslation();
  const { outcome, message, name, email, there, groups, isAdmin, notes, account } = trial;
  const isIn = outcome === 'admitted';
  return (
    <div className={classes.result} data-ok={isIn || undefined} role="status">
      <p>
        <strong>{t(outcomeTexts[outcome])}</strong> {message}
      </p>
      {name !== undefined && (
        <dl className={classes.facts}>
          <dt>{t('adminSignIn.name')}</dt>
          <dd>{[name, email].filter(Boolean).join(' · ')}</dd>
          <dt>{t('adminSignIn.account')}</dt>
          <dd>{account ? `${account.name} (${account.username})` : t('adminSignIn.newAccount')}</dd>
          <dt>{t('adminSignIn.groupsThere', { count: there?.count ?? 0 })}</dt>
          <dd>{there?.first.join(', ') || t('adminSignIn.noGroups')}</dd>
          <dt>{t('adminSignIn.groupsHere')}</dt>
          <dd>{groups.join(', ') || t('adminSignIn.noGroups')}</dd>
          <dt>{t('adminSignIn.isAdmin')}</dt>
          <dd>{t(isAdmin ? 'adminSignIn.yes' : 'adminSignIn.no')}</dd>
        </dl>
      )}
      {notes.length > 0 && (
        <ul>
          {notes.map((note) => (
            <li key={note}>{t(noteTexts[note])}</li>
          ))}
        </ul>
      )}
    </div>
  );
}

const outcomeTexts = {
  admitted: 'adminSignIn.outcomes.admitted',
  'not-allowed': 'adminSignIn.outcomes.notAllowed',
  'no-account': 'adminSignIn.outcomes.noAccount',
  disabled: 'adminSignIn.outcomes.disabled',
  claims: 'adminSignIn.outcomes.claims',
} as const satisfies Record<ClaimTrial['outcome'], string>;

const noteTexts = {
  'no-groups': 'adminSignIn.notes.noGroups',
  'groups-not-texts': 'adminSignIn.notes.groupsNotTexts',
  'groups-left-out': 'adminSignIn.notes.groupsLeftOut',
  'email-not-verified': 'adminSignIn.notes.emailNotVerified',
  'name-cleaned': 'adminSignIn.notes.nameCleaned',
} as const satisfies Record<ClaimTrial['notes'][number], string>;
