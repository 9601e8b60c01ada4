import type { AdminTool } from '@knowhow/shared/admin-tools';
import { useTranslation } from 'react-i18next';

/** Gives what a tool says of itself. */
export function useHintWords(): (tool: Pick<AdminTool, 'hints'>) => string[] {
  const { t } = useTranslation();
  return ({ hints: { readOnly, destructive, openWorld } }) => [
    readOnly
      ? t('adminTools.readOnly')
      : t(destructive ? 'adminTools.destructive' : 'adminTools.writes'),
    ...(openWorld ? [t('adminTools.openWorld')] : []),
  ];
}
