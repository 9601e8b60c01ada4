import type { ClaimTrial } from '@knowhow/shared/access/admin-sign-in';
import { adminSignInApi, type ShownProvider } from '@knowhow/shared/access/admin-sign-in';
import { isRecord } from '@knowhow/shared/is-record';
import { Button, Select, Textarea } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type SubmitEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../api/call.ts';
import { Section } from '../../ui/layout/section.tsx';
import { ErrorNote } from '../../ui/text/error-note.tsx';
import classes from './admin-sign-in.module.css';

const example = `{
  "sub": "248289761001",
  "name": "Ann Author",
  "email": "ann@example.org",
  "email_verified": true,
  "groups": ["staff"]
}`;

/** Tests the claims mapping. */
export function ClaimsTestForm({ providers }: { providers: readonly ShownProvider[] }) {
  const { t } = useTranslation();
  const [provider, setProvider] = useState(providers[0]?.name ?? '');
  const [text, setText] = useState(example);
  const claims = parseRecord(text);
  const trial = useMutation({
    mutationFn: (wanted: Record<string, unknown>) =>
      call(adminSignInApi.claims, { params: { provider }, body: { claims: wanted } }),
  });

  function onSubmit(event: SubmitEvent) {
    event.preventDefault();
    if (claims) {
      trial.mutate(claims);
    }
  }

  return (
    <Section title={t('adminSignIn.trial')} text={t('adminSignIn.trialAbout')}>
      <form className={classes.form} onSubmit={onSubmit}>
        {providers.length > 1 && (
          <Select
            label={t('adminSignIn.provider')}
            data={providers.map(({ name, title }) => ({ value: name, label: title }))}
            value={provider}
            onChange={(chosen) => setProvider(chosen ?? provider)}
            allowDeselect={false}
          />
        )}
        <Textarea
          label={t('adminSignIn.claims')}
          classNames={{ input: classes.code }}
          value={text}
          error={claims ? undefined : t('adminSignIn.noJson')}
          onChange={(event) => setText(event.currentTarget.value)}
          autosize
          minRows={6}
          maxRows={20}
          spellCheck={false}
        />
        <div>
          <Button type="submit" variant="default" disabled={!claims} loading={trial.isPending}>
            {t('adminSignIn.try')}
          </Button>
        </div>
      </form>
      {trial.error && <ErrorNote error={trial.error} />}
      {trial.data && <ClaimsTestResult trial={trial.data} />}
    </Section>
  );
}

function parseRecord(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The result of a claims mapping test. */
function ClaimsTestResult({ trial }: { trial: ClaimTrial }) {
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
