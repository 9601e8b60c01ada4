import {
  adminSignInApi,
  type ClaimTrial,
  type proxyStateSchema,
  type ShownProvider,
} from '@knowhow/shared/access/admin-sign-in';
import { isRecord } from '@knowhow/shared/is-record';
import { Button, Select, Skeleton, Textarea } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type SubmitEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { z } from 'zod';
import { call } from '../../api/call.ts';
import { query } from '../../api/query.ts';
import { EmptyState } from '../../ui/layout/empty-state.tsx';
import { PageFrame } from '../../ui/layout/page-frame.tsx';
import { Section } from '../../ui/layout/section.tsx';
import { ErrorNote } from '../../ui/text/error-note.tsx';
import classes from './admin-sign-in.module.css';
import { ProviderCard } from './provider-card.tsx';

/** Identity providers and reverse proxies: their configuration and tests. */
export function AdminSignIn() {
  const { t } = useTranslation();
  const state = useQuery(query(adminSignInApi.state, {}));
  const { providers = [], proxy, mappings = [] } = state.data ?? {};
  const usable = providers.filter(({ fault }) => fault === undefined);
  return (
    <PageFrame title={t('adminPages.signIn')} description={t('adminSignIn.about')}>
      {state.error && <ErrorNote error={state.error} onRetry={() => state.refetch()} />}
      {state.isPending && (
        <div role="status" aria-label={t('state.loading')}>
          <Skeleton height={176} />
        </div>
      )}
      {state.data && providers.length === 0 && !proxy && (
        <EmptyState title={t('adminSignIn.none')} text={t('adminSignIn.noneAbout')} />
      )}
      {state.data && (
        <div className={classes.sections}>
          {providers.length > 0 && (
            <Section title={t('adminSignIn.providers')}>
              <div className={classes.cards}>
                {providers.map((provider, index) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: two may have one name, which is a fault.
                  <ProviderCard key={index} provider={provider} />
                ))}
              </div>
            </Section>
          )}
          {proxy && <ProxySection proxy={proxy} />}
          {(providers.length > 0 || proxy) && <MappingList mappings={mappings} />}
          {usable.length > 0 && <ClaimsTestForm providers={usable} />}
        </div>
      )}
    </PageFrame>
  );
}

interface MappingListProps {
  mappings: readonly { group: string; name: string; names: string[] }[];
}

/** The mapping of provider groups to our groups. */
function MappingList({ mappings }: MappingListProps) {
  const { t } = useTranslation();
  return (
    <Section title={t('adminSignIn.mappings')} text={t('adminSignIn.mappingsAbout')}>
      {mappings.length === 0 && <p>{t('adminSignIn.noMappings')}</p>}
      <dl className={classes.facts}>
        {mappings.map(({ group, name, names }) => (
          <div key={group} className={classes.row}>
            <dt>
              <Link to={`/admin/groups/${encodeURIComponent(group)}`}>{name}</Link>
            </dt>
            <dd>{names.join(', ')}</dd>
          </div>
        ))}
      </dl>
    </Section>
  );
}

/** A reverse proxy that authenticates users. */
function ProxySection({ proxy }: { proxy: z.infer<typeof proxyStateSchema> }) {
  const { t } = useTranslation();
  const { title, signed, userHeader, isTrusted } = proxy;
  return (
    <Section title={t('adminSignIn.proxy', { title })}>
      {signed.length > 0 ? (
        <ul className={classes.plain}>
          {signed.map(({ header, issuer, audience }) => (
            <li key={`${header} ${issuer}`}>
              {t('adminSignIn.signedHeader', { header, issuer, audience })}
            </li>
          ))}
        </ul>
      ) : (
        <p className={isTrusted ? undefined : classes.fault}>
          {t(isTrusted ? 'adminSignIn.plainHeader' : 'adminSignIn.notTrusted', {
            header: userHeader,
          })}
        </p>
      )}
    </Section>
  );
}

const example = `{
  "sub": "248289761001",
  "name": "Ann Author",
  "email": "ann@example.org",
  "email_verified": true,
  "groups": ["staff"]
}`;

/** Tests the claims mapping. */
function ClaimsTestForm({ providers }: { providers: readonly ShownProvider[] }) {
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
