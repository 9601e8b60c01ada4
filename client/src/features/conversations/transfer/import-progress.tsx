import { conversationImportApi } from '@knowhow/shared/chat/conversation-import';
import { Progress } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { query } from '../../../api/query.ts';
import { focusHere } from '../../../ui/focus/focus-here.ts';

const lookMs = 700;

/** The number of imported conversations; unknown until the server has read the file. */
export function ImportProgress({ id }: { id: string }) {
  const { t } = useTranslation();
  const progress = useQuery({
    ...query(conversationImportApi.progress, { params: { id } }),
    retry: false,
    staleTime: 0,
    gcTime: 0,
    refetchInterval: lookMs,
  });
  const { done = 0, total = 0 } = progress.data ?? {};
  const words = total > 0 ? t('importing.running', { done, total }) : t('importing.reading');
  return (
    <div>
      <p ref={focusHere} tabIndex={-1} role="status">
        {words}
      </p>
      <Progress aria-label={words} value={total > 0 ? (100 * done) / total : 0} animated />
    </div>
  );
}
