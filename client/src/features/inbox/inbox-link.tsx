import { inboxApi } from '@knowhow/shared/skills/inbox';
import { IconInbox } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { NavLink } from 'react-router';
import { query } from '../../api/query.ts';
import classes from './inbox-link.module.css';

const refreshMs = 5 * 60_000;

/** The link to the inbox with the number of open items, for people who have one. */
export function InboxLink() {
  const { t } = useTranslation();
  const { data } = useQuery({
    ...query(inboxApi.summary, {}),
    staleTime: refreshMs,
    refetchInterval: refreshMs,
  });
  return (
    data?.isShown && (
      <NavLink to="/inbox">
        <IconInbox size={16} aria-hidden />
        {t('inbox.title')}
        {data.open > 0 && ' '}
        {data.open > 0 && (
          <span
            className={classes.count}
            role="img"
            aria-label={t('inbox.openCount', { count: data.open })}
          >
            {data.open}
          </span>
        )}
      </NavLink>
    )
  );
}
