import { type KeptConsent, toolsApi } from '@knowhow/shared/config/tools';
import { Button, Modal, Skeleton } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '../../api/call.ts';
import { query } from '../../api/query.ts';
import { ErrorNote } from '../../ui/text/error-note.tsx';
import { useFormat } from '../../ui/text/use-format.ts';
import { useToolLabel } from '../../ui/text/use-tool-label.ts';
import classes from './account-list.module.css';

const consentsQuery = query(toolsApi.consents, {});

/** The tools that the user always allows. */
export function ConsentsDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('account.tools')}
      closeButtonProps={{ 'aria-label': t('action.close') }}
      centered
    >
      <Consents />
    </Modal>
  );
}

function Consents() {
  const { t } = useTranslation();
  const consents = useQuery({ ...consentsQuery, staleTime: 0 });
  const items = consents.data?.items;
  return (
    <>
      {items && (
        <p className={classes.about}>
          {t(items.length === 0 ? 'consents.empty' : 'consents.about')}
        </p>
      )}
      {consents.error && !items && (
        <ErrorNote error={consents.error} onRetry={() => consents.refetch()} />
      )}
      {consents.isPending && (
        <div role="status" aria-label={t('state.loading')}>
          <Skeleton height={96} />
        </div>
      )}
      <ul className={classes.list}>
        {items?.map((consent) => (
          <ConsentRow key={consent.id} consent={consent} />
        ))}
      </ul>
    </>
  );
}

function ConsentRow({ consent }: { consent: KeptConsent }) {
  const { t } = useTranslation();
  const { relativeDate, date } = useFormat();
  const queryClient = useQueryClient();
  const { id, at } = consent;
  const { title, source } = useToolLabel()(consent);
  const revoke = useMutation({
    mutationFn: () => call(toolsApi.revoke, { params: { id } }),
    onSuccess: () => queryClient.invalidateQueries(consentsQuery),
  });
  return (
    <li>
      <div className={classes.row}>
        <div className={classes.text}>
          <p className={classes.title}>{title}</p>
          <p className={classes.facts}>
            {source || t('consents.gone')} ·{' '}
            <time dateTime={at} title={date(at)}>
              {t('consents.since', { when: relativeDate(at) })}
            </time>
          </p>
        </div>
        <Button
          variant="default"
          size="xs"
          aria-label={t('consents.revokeOf', { title })}
          loading={revoke.isPending}
          onClick={() => revoke.mutate()}
        >
          {t('consents.revoke')}
        </Button>
      </div>
      {revoke.error && <ErrorNote error={revoke.error} />}
    </li>
  );
}
