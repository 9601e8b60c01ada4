import { adminSkillsApi } from '@knowhow/shared/skills/admin-skills';
import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { allItems } from '../../api/query.ts';
import { useErrorToast } from '../../ui/text/use-error-toast.ts';
import { pageSize, type SkillFilters, toSkillListQuery } from './skill-filters.ts';
import type { Selection } from './use-selection.ts';

/** Loading: it is not known yet which skills are selected. */
export const chooseAllKey = ['choose-all'];

interface ChooseAllProps {
  filters: SkillFilters;
  total: number;
  selection: Selection;
}

/** Extends the selection to the other pages; renders nothing if there are none. */
export function ChooseAll({ filters, total, selection }: ChooseAllProps) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const showError = useErrorToast();
  const { limit, ...request } = toSkillListQuery({ ...filters, page: 1 });
  const reading = useMutation({
    mutationKey: chooseAllKey,
    mutationFn: () =>
      queryClient.fetchQuery(
        allItems(adminSkillsApi.list, { query: request }, Number.POSITIVE_INFINITY),
      ),
    onSuccess: (skills) => selection.set(skills, true),
    onError: showError,
  });
  if (total <= pageSize || reading.isSuccess) {
    return null;
  }
  return (
    <Button
      variant="subtle"
      size="compact-sm"
      loading={reading.isPending}
      onClick={() => reading.mutate()}
    >
      {t('skillList.chooseTotal', { count: total })}
    </Button>
  );
}
