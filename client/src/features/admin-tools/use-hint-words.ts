import type { AdminTool } from '@knowhow/shared/config/admin-tools';
import { useTranslation } from 'react-i18next';

/** Returns the behaviour labels of a tool, as far as they are known. */
export function useHintWords(): (tool: Pick<AdminTool, 'hints'>) => string[] {
  const { t } = useTranslation();
  return ({ hints: { readOnly, destructive, openWorld, isAssumed } }) =>
    isAssumed
      ? [t('adminTools.assumed')]
      : [
          readOnly
            ? t('adminTools.readOnly')
            : t(destructive ? 'adminTools.destructive' : 'adminTools.writes'),
          ...(openWorld ? [t('adminTools.openWorld')] : []),
        ];
}
