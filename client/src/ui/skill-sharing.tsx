import { skillSharingApi } from '@knowhow/shared/access/skill-sharing';
import { Button } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../api/call.ts';
import { query } from '../api/query.ts';
import { ConfirmDialog } from './confirm-dialog.tsx';
import { ErrorNote } from './text/error-note.tsx';

interface SkillSharingProps {
  /** The owner of the skills, or the group that they are shared with. */
  kind: 'user' | 'group';
  id: string;
}

const endpoints = {
  user: { get: skillSharingApi.ofUser, end: skillSharingApi.endOfUser },
  group: { get: skillSharingApi.withGroup, end: skillSharingApi.endWithGroup },
};

const texts = {
  user: { none: 'skillSharing.userNone', some: 'skillSharing.userSome' },
  group: { none: 'skillSharing.groupNone', some: 'skillSharing.groupSome' },
} as const;

/** How many personal skills are shared, and with how many people. A button ends all of it. No skill is named. */
export function SkillSharing({ kind, id }: SkillSharingProps) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const [isAsking, setAsking] = useState(false);
  const text = useRef<HTMLParagraphElement>(null);
  const { get, end } = endpoints[kind];
  const asked = query(get, { params: { id } });
  const sharing = useQuery(asked);
  const ending = useMutation({
    mutationFn: () => call(end, { params: { id } }),
    onSuccess: async () => {
      setAsking(false);
      await queryClient.invalidateQueries({ queryKey: asked.queryKey });
      // The button is gone.
      text.current?.focus();
    },
  });
  if (!sharing.data) {
    return sharing.error && <ErrorNote error={sharing.error} onRetry={() => sharing.refetch()} />;
  }
  const { skills: count, people, losing } = sharing.data;
  const reached = t('skillSharing.people', { count: people });
  return (
    <>
      <p ref={text} tabIndex={-1}>
        {count === 0
          ? t(texts[kind].none)
          : t(texts[kind].some, { skills: t('skillSharing.skills', { count }), people: reached })}
      </p>
      {count > 0 && (
        <Button variant="default" size="compact-sm" onClick={() => setAsking(true)}>
          {t('skillSharing.end')}
        </Button>
      )}
      <ConfirmDialog
        title={t('skillSharing.title')}
        opened={isAsking}
        onClose={() => {
          setAsking(false);
          ending.reset();
        }}
        onConfirm={() => ending.mutate()}
        confirmLabel={t('skillSharing.end')}
        isBusy={ending.isPending}
        error={ending.error}
      >
        <p>
          {t('skillSharing.loses', { people: t('skillSharing.people', { count: losing }) })}
          {losing < people && ` ${t('skillSharing.keeps', { count: people - losing })}`}
        </p>
      </ConfirmDialog>
    </>
  );
}
