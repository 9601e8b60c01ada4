import {
  adminSignInApi,
  type ProviderTest,
  type ShownProvider,
} from '@knowhow/shared/access/admin-sign-in';
import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../api/call.ts';
import badge from '../../ui/layout/status-badge.module.css';
import { CopyButton } from '../../ui/text/copy-button.tsx';
import { ErrorNote } from '../../ui/text/error-note.tsx';
import { useFormat } from '../../ui/text/use-format.ts';
import classes from './admin-sign-in.module.css';

/** The configuration of a provider, with a test. */
export function ProviderCard({ provider }: { provider: ShownProvider }) {
  const { t } = useTranslation();
  const { name, title, fault } = provider;
  const test = useMutation({
    mutationFn: () => call(adminSignInApi.test, { params: { provider: name } }),
  });
  const state = fault === undefined ? 'on' : fault === 'off' ? 'off' : 'broken';
  return (
    <article className={classes.card} aria-label={title}>
      <header className={classes.head}>
        <h3>{title}</h3>
        <span className={badge.badge} data-status={state}>
          {t(stateTexts[state])}
        </span>
        {state === 'on' && (
          <Button
            variant="default"
            size="compact-sm"
            aria-label={t('adminSignIn.testOf', { title })}
            loading={test.isPending}
            onClick={() => test.mutate()}
          >
            {t('adminSignIn.test')}
          </Button>
        )}
      </header>
      {state === 'broken' && <p className={classes.fault}>{fault}</p>}
      {test.error && <ErrorNote error={test.error} />}
      {test.data && <TestResult result={test.data} />}
      <ProviderFacts provider={provider} />
    </article>
  );
}

const stateTexts = {
  on: 'status.on',
  off: 'status.off',
  broken: 'adminSignIn.broken',
} as const;

function ProviderFacts({ provider }: { provider: ShownProvider }) {
  const { t } = useTranslation();
  const { issuer, clientId, secretEnv, addresses, mcpAudience, defaultGroups } = provider;
  return (
    <dl className={classes.facts}>
      <Fact label={t('adminSignIn.issuer')} code={issuer} />
      <Fact label={t('adminSignIn.clientId')} code={clientId} />
      <Fact label={t('adminSignIn.secret')} code={secretEnv}>
        {secretEnv === undefined && t('adminSignIn.noSecret')}
      </Fact>
      <Fact label={t('adminSignIn.scope')} code={provider.scope} />
      <Fact label={t('adminSignIn.groupsFrom')} code={provider.groupsAttribute} />
      <Fact label={t('adminSignIn.comesIn')}>
        <WhoComesIn provider={provider} />
      </Fact>
      {defaultGroups.length > 0 && (
        <Fact label={t('adminSignIn.defaultGroups')} code={defaultGroups.join(', ')} />
      )}
      {mcpAudience !== undefined && <Fact label={t('adminSignIn.mcp')} code={mcpAudience} />}
      {addresses ? (
        <>
          <Fact label={t('adminSignIn.callback')} code={addresses.callback} isCopied />
          <Fact label={t('adminSignIn.logout')} code={addresses.logout} isCopied />
        </>
      ) : (
        <Fact label={t('adminSignIn.callback')}>{t('adminSignIn.noAddress')}</Fact>
      )}
    </dl>
  );
}

function WhoComesIn({ provider: { allow, allowsSignup } }: { provider: ShownProvider }) {
  const { t } = useTranslation();
  if (!allow) {
    return t(allowsSignup ? 'adminSignIn.everybody' : 'adminSignIn.onlyKnown');
  }
  const who = [...allow.groups, ...allow.emails].join(', ');
  return who === '' ? t('adminSignIn.onlyNoOne') : t('adminSignIn.only', { who });
}

interface FactProps {
  label: string;
  code?: string | undefined;
  isCopied?: boolean;
  children?: ReactNode;
}

function Fact({ label, code, isCopied, children }: FactProps) {
  const { t } = useTranslation();
  return (
    <>
      <dt>{label}</dt>
      <dd>
        {code !== undefined && <code>{code}</code>}
        {code !== undefined && isCopied && (
          <CopyButton
            textOf={() => code}
            label={t('adminSignIn.copyOf', { what: label })}
            size={28}
          />
        )}
        {children}
      </dd>
    </>
  );
}

function TestResult({ result }: { result: ProviderTest }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { ok, message, ms, offers, unknownScopes } = result;
  const said = ok ? t('adminSignIn.answers', { ms: format.number(ms) }) : t('adminSignIn.fails');
  return (
    <div className={classes.result} data-ok={ok || undefined} role="status">
      <p>
        <strong>{said}</strong> {message}
      </p>
      {ok && (
        <ul>
          {offered.map((each) => (
            <li key={each} data-there={offers.includes(each) || undefined}>
              {t(offerTexts[each])}:{' '}
              {t(offers.includes(each) ? 'adminSignIn.yes' : 'adminSignIn.no')}
            </li>
          ))}
        </ul>
      )}
      {unknownScopes.length > 0 && (
        <p>{t('adminSignIn.unknownScopes', { scopes: unknownScopes.join(', ') })}</p>
      )}
    </div>
  );
}

const offerTexts = {
  pkce: 'adminSignIn.offers.pkce',
  iss: 'adminSignIn.offers.iss',
  userinfo: 'adminSignIn.offers.userinfo',
  'sign-out': 'adminSignIn.offers.signOut',
  'back-channel': 'adminSignIn.offers.backChannel',
} as const satisfies Record<ProviderTest['offers'][number], string>;
const offered = Object.keys(offerTexts) as ProviderTest['offers'];
