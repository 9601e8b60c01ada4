import { skillBinApi } from '@knowhow/shared/skills/skill-bin';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { query } from '../api/query.ts';

/** How long a deleted skill is kept in the bin, as a sentence. */
export function useBinText(): string {
  const { t } = useTranslation();
  const { data } = useQuery(query(skillBinApi.list, { query: { limit: 1 } }));
  if (!data) {
    return t('skillBin.kept');
  }
  return data.days === 0 ? t('skillBin.keptForever') : t('skillBin.keptFor', { count: data.days });
}
