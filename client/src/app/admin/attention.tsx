import { adminApi } from '@knowhow/shared/config/admin';
import { healthApi } from '@knowhow/shared/config/health';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { allItems, query } from '../../api/query.ts';
import { Expander } from '../../ui/layout/expander.tsx';
import classes from './attention.module.css';

/** How often it is looked for, in ms: files are changed outside of these pages, too. */
const refetchInterval = 30_000;

/** What an admin should know wherever they are: warnings, and configuration files that are broken. */
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
