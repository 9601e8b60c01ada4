import { adminApi } from '@knowhow/shared/config/admin';
import { healthApi } from '@knowhow/shared/config/health';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { allItems, query } from '../../api/query.ts';
import { Expander } from '../../ui/layout/expander.tsx';
import classes from './attention.module.css';

/** Polling interval in ms: files can also change outside of these pages. */
const refetchInterval = 30_000;

/** Warnings and invalid configuration files, shown on every admin page. */
export function Attention() {
  const { t } = useTranslation();
  const status = useQuery({ ...query(adminApi.status, {}), refetchInterval });
  const faults = useQuery({ ...allItems(healthApi.faults, {}), refetchInterval });
  const diagnostics = [
    ...(status.data?.warnings ?? []),
    ...(faults.data ?? []).map(({ path, field, message, isUsed }) => {
      const location = field ? `${path}, ${field}` : path;
      const said = `${location}: ${/[.!?]$/.test(message) ? message : `${message}.`}`;
      return isUsed ? said : t('adminShell.fault', { fault: said });
    }),
  ];
  const [only] = diagnostics;
  return (
    <div role="status">
      {only !== undefined && (
        <div className={classes.banner}>
          <IconAlertTriangle className={classes.icon} size={18} aria-hidden />
          {diagnostics.length === 1 ? (
            <p>{only}</p>
          ) : (
            <Expander summary={t('adminShell.attention', { count: diagnostics.length })}>
              <ul>
                {diagnostics.map((diagnostic) => (
                  <li key={diagnostic}>{diagnostic}</li>
                ))}
              </ul>
            </Expander>
          )}
        </div>
      )}
    </div>
  );
}
