import { type AuditEntry, adminApi } from '@knowhow/shared/config/admin';
import {
  type LeftReason,
  skillBulkApi,
  type UndoableChange,
  type Undone,
} from '@knowhow/shared/skills/skill-bulk';
import { Button, Skeleton } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../api/call.ts';
import { endpointQueryFilter, query } from '../../api/query.ts';
import { refreshSkills } from '../../api/refresh-skills.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { ErrorNote } from '../../ui/text/error-note.tsx';
import { useReachText } from '../../ui/text/use-reach-text.ts';
import classes from './audit-list.module.css';

interface UndoBulkProps {
  entry: AuditEntry;
  change: UndoableChange;
}

/** Undoes a bulk change of skills, after it has shown what that restores and how far it reaches. */
export function UndoBulk({ entry, change }: UndoBulkProps) {
  const { t } = useTranslation();
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <Button
        variant="default"
        size="compact-sm"
        className={classes.undo}
        onClick={() => setAsking(true)}
      >
        {t('action.undo')}
      </Button>
      <UndoDialog
        opened={isAsking}
        id={entry.id}
        change={change}
        onClose={() => setAsking(false)}
      />
    </>
  );
}

interface UndoDialogProps {
  opened: boolean;
  id: string;
  change: UndoableChange;
  onClose: () => void;
}

function UndoDialog({ opened, id, change, onClose }: UndoDialogProps) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const reachText = useReachText();
  const params = { entry: id };
  const preview = useQuery({
    ...query(skillBulkApi.previewUndo, { params }),
    enabled: opened,
    // The state of skills may have changed since the dialog was last open.
    staleTime: 0,
    gcTime: 0,
  });
  const undoing = useMutation({
    mutationFn: () => call(skillBulkApi.undo, { params }),
    onSuccess: async ({ done, left }) => {
      onClose();
      notifications.show({
        message: [
          t('audit.undo.restored', { count: done.length }),
          left.length > 0 && t('audit.undo.left', { count: left.length }),
        ]
          .filter(Boolean)
          .join(' '),
        closeButtonProps: { 'aria-label': t('action.close') },
      });
      await Promise.all([
        refreshSkills(queryClient),
        queryClient.invalidateQueries(endpointQueryFilter(adminApi.audit)),
      ]);
    },
  });
  const { after } = change;
  const count = after.skills.length;
  const title =
    'enabled' in after
      ? t(after.enabled ? 'audit.undo.switchOff' : 'audit.undo.switchOn', { count })
      : t(change.action === 'assigned' ? 'audit.undo.unassign' : 'audit.undo.assign', {
          count,
          name: after.apps ?? after.groups ?? '',
        });
  return (
    <ConfirmDialog
      title={title}
      opened={opened}
      onClose={() => {
        undoing.reset();
        onClose();
      }}
      onConfirm={() => undoing.mutate()}
      confirmLabel={t('audit.undo.confirm')}
      error={undoing.error}
      isBusy={undoing.isPending}
      isReady={(preview.data?.done.length ?? 0) > 0}
    >
      {preview.isPending && <Skeleton height={48} />}
      {preview.error && <ErrorNote error={preview.error} />}
      {preview.data && (
        <>
          <p>{t('audit.undo.restores', { count: preview.data.done.length })}</p>
          {preview.data.done.length > 0 && <p>{firstOf(preview.data.done)}</p>}
          {preview.data.done.length > 0 && <p>{reachText(preview.data)}</p>}
          <Left left={preview.data.left} />
        </>
      )}
    </ConfirmDialog>
  );
}

/** How many names are shown. */
const maxShown = 20;

function firstOf(names: readonly string[]): string {
  return `${names.slice(0, maxShown).join(', ')}${names.length > maxShown ? ' …' : ''}`;
}

function Left({ left }: Pick<Undone, 'left'>) {
  const { t } = useTranslation();
  const reasons = (Object.keys(reasonTexts) as LeftReason[]).map((reason) => ({
    reason,
    names: left.filter((each) => each.reason === reason).map(({ name }) => name),
  }));
  return reasons
    .filter(({ names }) => names.length > 0)
    .map(({ reason, names }) => (
      <p key={reason}>
        {t(reasonTexts[reason], { count: names.length })} {firstOf(names)}
      </p>
    ));
}

const reasonTexts = {
  changed: 'audit.undo.changed',
  missing: 'audit.undo.missing',
  broken: 'audit.undo.broken',
} as const satisfies Record<LeftReason, string>;
