import { backupApi, backupParts, type Snapshot } from '@knowhow/shared/config/backup';
import { Button, Skeleton } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type ReactNode, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../api/call.ts';
import { allItems } from '../../api/query.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { CardTable } from '../../ui/layout/card-table.tsx';
import { Section } from '../../ui/layout/section.tsx';
import { LoadError } from '../../ui/loading/load-error.tsx';
import { useRight } from '../../ui/rights.ts';
import { useFormat } from '../../ui/text/use-format.ts';
import { useUndoToast } from '../../ui/use-undo-toast.tsx';
import classes from './snapshot-section.module.css';
import { usePartName } from './use-part-name.ts';

/** A closing dialog returns the focus a moment later. */
const dialogGivesBackMs = 100;

/** Snapshots of the data that restores have replaced. */
export function SnapshotSection({ onRestored }: { onRestored: () => Promise<void> }) {
  const { t } = useTranslation();
  const { bytes, exactDate, number } = useFormat();
  const partsText = usePartsText();
  const heading = useRef<HTMLHeadingElement>(null);
  const list = useQuery(allItems(backupApi.snapshots, {}));
  const snapshots = list.data ?? [];

  const holds = (parts: readonly string[]) =>
    backupParts.every((part) => parts.includes(part))
      ? t('adminBackup.everything')
      : partsText(parts);

  async function onRemoved() {
    await list.refetch();
    // The focused row is gone, but the dialog still returns the focus to it.
    window.setTimeout(() => heading.current?.focus(), dialogGivesBackMs);
  }

  return (
    <Section
      id="snapshots"
      headingRef={heading}
      title={t('adminBackup.snapshots')}
      text={t('adminBackup.snapshotsText')}
    >
      <LoadError queries={[list]} />
      {list.isPending && <Skeleton height={104} radius="md" />}
      {list.data && snapshots.length === 0 && (
        <p className={classes.empty}>{t('adminBackup.noSnapshots')}</p>
      )}
      {snapshots.length > 0 && (
        <CardTable<Snapshot>
          label={t('adminBackup.snapshots')}
          rows={snapshots}
          keyOf={({ id }) => id}
          head={{ label: t('adminBackup.at'), render: ({ at }) => renderUnbroken(exactDate(at)) }}
          columns={[
            {
              label: t('adminBackup.by'),
              render: ({ by }) => <span className={classes.by}>{by}</span>,
            },
            { label: t('adminBackup.holds'), render: ({ parts }) => holds(parts) },
            {
              label: t('adminBackup.files'),
              render: ({ files }) => renderUnbroken(number(files)),
              isNumber: true,
            },
            {
              label: t('adminBackup.bytes'),
              render: (row) => renderUnbroken(bytes(row.bytes)),
              isNumber: true,
            },
            {
              label: t('adminBackup.actions'),
              render: (snapshot) => (
                <SnapshotActions
                  snapshot={snapshot}
                  parts={partsText(snapshot.parts)}
                  onRestored={onRestored}
                  onRemoved={onRemoved}
                />
              ),
              isNumber: true,
            },
          ]}
        />
      )}
    </Section>
  );
}

/** Without line breaks. */
function renderUnbroken(text: string): ReactNode {
  return <span className={classes.whole}>{text}</span>;
}

const shownParts = 7;

/** Joins the names of parts and single items, truncated if there are many. */
function usePartsText(): (parts: readonly string[]) => string {
  const { t, i18n } = useTranslation();
  const partName = usePartName();
  return (parts) => {
    const names = parts.slice(0, shownParts).map(partName);
    const count = parts.length - names.length;
    const more = count > 0 ? [t('adminBackup.moreParts', { count })] : [];
    return new Intl.ListFormat(i18n.language).format([...names, ...more]);
  };
}

interface SnapshotActionsProps {
  snapshot: Snapshot;
  /** Names of its contents. */
  parts: string;
  onRestored: () => Promise<void>;
  onRemoved: () => Promise<void>;
}

/** Restores or deletes a snapshot. */
function SnapshotActions(props: SnapshotActionsProps) {
  const { t } = useTranslation();
  const { exactDate } = useFormat();
  const mayRestore = useRight();
  const [asking, setAsking] = useState<'restore' | 'remove'>();
  const at = exactDate(props.snapshot.at);
  const close = () => setAsking(undefined);
  return (
    <div className={classes.actions}>
      {mayRestore && (
        <Button
          variant="default"
          size="xs"
          aria-label={t('adminBackup.restoreSnapshot', { at })}
          onClick={() => setAsking('restore')}
        >
          {t('adminBackup.confirm')}
        </Button>
      )}
      <IconButton
        label={t('adminBackup.removeSnapshot', { at })}
        icon={<IconTrash size={17} />}
        onClick={() => setAsking('remove')}
      />
      <RestoreQuestion {...props} opened={asking === 'restore'} onClose={close} />
      <RemoveQuestion {...props} opened={asking === 'remove'} onClose={close} />
    </div>
  );
}

interface QuestionProps extends SnapshotActionsProps {
  opened: boolean;
  onClose: () => void;
}

function RestoreQuestion({ snapshot, parts, opened, onClose, onRestored }: QuestionProps) {
  const { t } = useTranslation();
  const { exactDate } = useFormat();
  const showUndo = useUndoToast();
  const bringBack = (id: string) => call(backupApi.restoreSnapshot, { params: { id } });
  const at = exactDate(snapshot.at);
  const restore = useMutation({
    mutationFn: () => bringBack(snapshot.id),
    onSuccess: async ({ snapshot: replaced }) => {
      onClose();
      showUndo({
        message: t('adminBackup.broughtBack', { at }),
        undo: async () => {
          await bringBack(replaced);
          await onRestored();
        },
      });
      await onRestored();
    },
  });
  return (
    <ConfirmDialog
      title={t('adminBackup.restoreSnapshot', { at })}
      opened={opened}
      onClose={() => {
        restore.reset();
        onClose();
      }}
      onConfirm={() => restore.mutate()}
      confirmLabel={t('adminBackup.confirm')}
      isBusy={restore.isPending}
      error={restore.error}
    >
      <p>{t('adminBackup.bringBackText', { parts })}</p>
      <p>{t('adminBackup.keptText')}</p>
    </ConfirmDialog>
  );
}

function RemoveQuestion({ snapshot, parts, opened, onClose, onRemoved }: QuestionProps) {
  const { t } = useTranslation();
  const { bytes, exactDate } = useFormat();
  const remove = useMutation({
    mutationFn: () => call(backupApi.removeSnapshot, { params: { id: snapshot.id } }),
    onSuccess: () => {
      onClose();
      return onRemoved();
    },
  });
  const values = { count: snapshot.files, size: bytes(snapshot.bytes), parts };
  return (
    <ConfirmDialog
      title={t('adminBackup.removeSnapshot', { at: exactDate(snapshot.at) })}
      opened={opened}
      onClose={() => {
        remove.reset();
        onClose();
      }}
      onConfirm={() => remove.mutate()}
      confirmLabel={t('adminBackup.remove')}
      typed={t('adminBackup.removeWord')}
      isBusy={remove.isPending}
      error={remove.error}
    >
      <p>{t('adminBackup.removeText', values)}</p>
    </ConfirmDialog>
  );
}
