import { type Query, useQueryClient } from '@tanstack/react-query';
import { useEffect, useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { Unreachable } from '../../api/unreachable.ts';
import classes from './connection-bar.module.css';

/** Retry interval for an unreachable server, in ms. */
const interval = 4000;

/** Reports an unreachable server and keeps retrying. */
export function ConnectionBar() {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const cache = queryClient.getQueryCache();
  const isLost = useSyncExternalStore(
    (listener) => cache.subscribe(listener),
    () => cache.getAll().some(isUnreachable),
  );

  useEffect(() => {
    if (!isLost) {
      return;
    }
    const retry = () => void queryClient.refetchQueries({ predicate: isUnreachable });
    const timer = setInterval(retry, interval);
    window.addEventListener('online', retry);
    return () => {
      clearInterval(timer);
      window.removeEventListener('online', retry);
    };
  }, [isLost, queryClient]);

  return (
    <div role="status">{isLost && <p className={classes.bar}>{t('state.connectionLost')}</p>}</div>
  );
}

function isUnreachable(query: Query): boolean {
  const { error, fetchFailureReason } = query.state;
  return (
    query.isActive() && [error, fetchFailureReason].some((cause) => cause instanceof Unreachable)
  );
}
