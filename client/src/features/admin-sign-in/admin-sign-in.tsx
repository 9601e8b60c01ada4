import { adminSignInApi } from '@knowhow/shared/access/admin-sign-in';
import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { query } from '../../api/query.ts';
import { EmptyState } from '../../ui/layout/empty-state.tsx';
import { PageFrame } from '../../ui/layout/page-frame.tsx';
import { Section } from '../../ui/layout/section.tsx';
import { ErrorNote } from '../../ui/text/error-note.tsx';
import classes from './admin-sign-in.module.css';
import { ClaimsTestForm } from './claim-trial-form.tsx';
import { MappingList } from './mapping-list.tsx';
import { ProviderCard } from './provider-card.tsx';
import { ProxySection } from './proxy-section.tsx';

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
