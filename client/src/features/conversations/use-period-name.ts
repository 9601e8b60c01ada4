import { useTranslation } from 'react-i18next';
import type { Period } from './group-by-day.ts';

export function usePeriodName(): (period: Period) => string {
  const { t, i18n } = useTranslation();
  return (period) => {
    switch (period) {
      case 'pinned':
        return t('conversations.pinned');
      case 'today':
        return t('conversations.today');
      case 'yesterday':
        return t('conversations.yesterday');
      case 'week':
        return t('conversations.week');
      case 'month':
        return t('conversations.month');
      default: {
        const format = new Intl.DateTimeFormat(i18n.language, { month: 'long', year: 'numeric' });
        return format.format(new Date(`${period}-15T12:00:00`));
      }
    }
  };
}
