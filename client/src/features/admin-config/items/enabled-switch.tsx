import type { ConfigItem, ConfigKind } from '@knowhow/shared/config/admin-config';
import { Switch } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { endpointQueryFilter } from '../../../api/query.ts';
import { useLocalize } from '../../../i18n/use-localize.ts';
import { StatusBadge } from '../../../ui/layout/status-badge.tsx';
import { useErrorToast } from '../../../ui/text/use-error-toast.ts';
import { useUndoToast } from '../../../ui/use-undo-toast.tsx';
import { getDisplayName } from '../get-display-name.ts';
import { configApis } from './config-kind.ts';
import classes from './item-list.module.css';
import { usePutItem } from './use-put-item.ts';

interface EnabledSwitchProps {
  kind: ConfigKind;
  item: ConfigItem;
}

/** Enables or disables an item at once, with undo in a toast. */
export function EnabledSwitch({ kind, item }: EnabledSwitchProps) {
  const { t } = useTranslation();
  const localize = useLocalize();
  const queryClient = useQueryClient();
  const put = usePutItem(kind);
  const showUndo = useUndoToast();
  const showError = useErrorToast();
  const name = getDisplayName(item, localize);

  const write = ({ id, config, checksum }: ConfigItem, enabled: boolean) =>
    put({ id, config: { ...config, enabled }, checksum });
  const toggle = useMutation({
    mutationFn: (enabled: boolean) => write(item, enabled),
    onSuccess: (saved, enabled) =>
      showUndo({
        message: t(enabled ? 'adminConfig.switchedOn' : 'adminConfig.switchedOff', { name }),
        undo: () => write(saved, !enabled),
      }),
    onError: (error) => {
      showError(error);
      return queryClient.invalidateQueries(endpointQueryFilter(configApis[kind].list));
    },
  });

  if (item.fault) {
    return <StatusBadge status="broken" />;
  }
  return (
    <Switch
      className={classes.switch}
      aria-label={t('adminConfig.enabledOf', { name })}
      checked={toggle.isPending ? toggle.variables : item.config?.enabled !== false}
      onChange={(event) => toggle.mutate(event.currentTarget.checked)}
    />
  );
}
