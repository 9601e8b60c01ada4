import type { proxyStateSchema } from '@knowhow/shared/access/admin-sign-in';
import { adminSignInApi } from '@knowhow/shared/access/admin-sign-in';
import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { z } from 'zod';
import { query } from '../../api/query.ts';
import { EmptyState } from '../../ui/layout/empty-state.tsx';
import { PageFrame } from '../../ui/layout/page-frame.tsx';
import { Section } from '../../ui/layout/section.tsx';
import { ErrorNote } from '../../ui/text/error-note.tsx';
import classes from './admin-sign-in.module.css';
import { ClaimsTestForm } from './claim-trial-form.tsx';
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
