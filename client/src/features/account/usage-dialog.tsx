import { type Usage, type Used, usageApi } from '@knowhow/shared/access/usage';
import { Modal, Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { query } from '../../api/query.ts';
import { ErrorNote } from '../../ui/text/error-note.tsx';
import { useFormat } from '../../ui/text/use-format.ts';
import list from './account-list.module.css';
import classes from './usage-dialog.module.css';

const usageQuery = query(usageApi.own, {});

/** The user's usage and quotas. */
export function UsageDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const { date } = useFormat();
  const usage = useQuery({ ...usageQuery, staleTime: 0 });
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('account.usage')}
      closeButtonProps={{ 'aria-label': t('action.close') }}
      centered
    >
      {usage.error && !usage.data && (
        <ErrorNote error={usage.error} onRetry={() => usage.refetch()} />
      )}
      {usage.isPending && (
        <div role="status" aria-label={t('state.loading')}>
          <Skeleton height={96} />
        </div>
      )}
      {usage.data && (
        <>
          {usage.data.items.map((item) => (
            <UsageTable key={`${item.kind} ${item.id}`} usage={item} />
          ))}
          <p className={list.about}>
            {t('usage.periods', {
              day: date(usage.data.dayEndsAt),
              month: date(usage.data.monthEndsAt),
            })}
          </p>
        </>
      )}
    </Modal>
  );
}

function UsageTable({ usage: { kind, name, day, month } }: { usage: Usage }) {
  const { t } = useTranslation();
  const title = kind === 'group' ? t('usage.group', { name }) : t('usage.own');
  return (
    <table className={classes.table} aria-label={title}>
      <thead>
        <tr>
          <th scope="col">{title}</th>
          <th scope="col">{t('usage.messages')}</th>
          <th scope="col">{t('usage.tokens')}</th>
        </tr>
      </thead>
      <tbody>
        <UsedRow label={t('usage.day')} used={day} />
        <UsedRow label={t('usage.month')} used={month} />
      </tbody>
    </table>
  );
}

function UsedRow({ label, used }: { label: string; used: Used }) {
  const { t } = useTranslation();
  const { number } = useFormat();
  const of = (count: number, max: number | undefined) =>
    max === undefined ? number(count) : t('usage.of', { count: number(count), max: number(max) });
  const isOver = ({ count, max }: { count: number; max: number | undefined }) =>
    (max !== undefined && count >= max) || undefined;
  return (
    <tr>
      <th scope="row">{label}</th>
      <td data-over={isOver({ count: used.turns, max: used.maxTurns })}>
        {of(used.turns, used.maxTurns)}
      </td>
      <td data-over={isOver({ count: used.tokens, max: used.maxTokens })}>
        {of(used.tokens, used.maxTokens)}
      </td>
    </tr>
  );
}
