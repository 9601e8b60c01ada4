import { type AdminMail, adminMailApi, type MailFailure } from '@knowhow/shared/access/mail';
import { Button, Skeleton } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '../../../api/call.ts';
import { query } from '../../../api/query.ts';
import { EmptyState } from '../../../ui/layout/empty-state.tsx';
import { PageFrame } from '../../../ui/layout/page-frame.tsx';
import { Section } from '../../../ui/layout/section.tsx';
import { ErrorNote } from '../../../ui/text/error-note.tsx';
import { useFormat } from '../../../ui/text/use-format.ts';
import lists from './facts.module.css';
import classes from './mail-page.module.css';
import { SettingsTabs } from './settings-tabs.tsx';

/** The mail server, why e-mail cannot be sent, and a test message. */
export function MailPage() {
  const { t } = useTranslation();
  const state = useQuery({ ...query(adminMailApi.state, {}), staleTime: 0 });
  return (
    <PageFrame title={t('adminPages.settings')} description={t('settings.about')}>
      <SettingsTabs page="mail" />
      {state.error && <ErrorNote error={state.error} onRetry={() => void state.refetch()} />}
      {state.isPending && <Skeleton height={160} role="status" aria-label={t('state.loading')} />}
      {state.data && <MailState mail={state.data} onTested={() => void state.refetch()} />}
    </PageFrame>
  );
}

function MailState({ mail, onTested }: { mail: AdminMail; onTested: () => void }) {
  const { t } = useTranslation();
  const { relativeDate } = useFormat();
  const { server, from, failures, address } = mail;
  const test = useTestMessage(address, onTested);
  const failed = test.data?.failed;
  if (server === undefined) {
    return <EmptyState title={t('mail.off')} text={t('mail.offHow')} />;
  }
  return (
    <Section title={t('mail.title')} text={t('mail.about')}>
      <dl className={lists.facts}>
        <dt>{t('mail.server')}</dt>
        <dd>{server}</dd>
        <dt>{t('mail.sender')}</dt>
        <dd>{from}</dd>
        {(failures || failed === undefined) && (
          <>
            <dt>{t('mail.state')}</dt>
            <dd>
              {failures
                ? t('mail.failed', { count: failures.people, message: failures.message })
                : t('mail.works')}
            </dd>
          </>
        )}
        {failures && (
          <>
            <dt>{t('mail.failedAt')}</dt>
            <dd>{relativeDate(failures.at)}</dd>
          </>
        )}
      </dl>
      <TestMessage address={mail.address} test={test} />
    </Section>
  );
}

/** Sends a test message to the user. */
function useTestMessage(address: string | undefined, onTested: () => void) {
  const { t } = useTranslation();
  return useMutation({
    mutationFn: () => call(adminMailApi.test, {}),
    onSuccess: ({ failed }) => {
      if (failed === undefined) {
        notifications.show({
          message: t('mail.sent', { address }),
          closeButtonProps: { 'aria-label': t('action.close') },
        });
      }
    },
    onSettled: onTested,
  });
}

const failureTexts = {
  unreachable: 'mail.failures.unreachable',
  timeout: 'mail.failures.timeout',
  'sign-in': 'mail.failures.signIn',
  encryption: 'mail.failures.encryption',
  refused: 'mail.failures.refused',
  other: 'mail.failures.other',
} as const satisfies Record<MailFailure, string>;

interface TestMessageProps {
  address: string | undefined;
  test: ReturnType<typeof useTestMessage>;
}

function TestMessage({ address, test }: TestMessageProps) {
  const { t } = useTranslation();
  return (
    <div className={classes.test}>
      <p>{address === undefined ? t('mail.noAddress') : t('mail.testTo', { address })}</p>
      {test.error && <ErrorNote error={test.error} />}
      {test.data?.failed && (
        <p role="alert">
          {t(failureTexts[test.data.reason ?? 'other'])}{' '}
          {t('mail.reply', { reply: test.data.failed })}
        </p>
      )}
      <Button
        variant="default"
        disabled={address === undefined}
        loading={test.isPending}
        onClick={() => test.mutate()}
      >
        {t('mail.test')}
      </Button>
    </div>
  );
}
