import { backupApi, backupParts, type Snapshot } from '@knowhow/shared/config/backup';
import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { allItems } from '../../api/query.ts';
import { CardTable } from '../../ui/layout/card-table.tsx';
import { Section } from '../../ui/layout/section.tsx';
import { LoadError } from '../../ui/loading/load-error.tsx';
import { useFormat } from '../../ui/text/use-format.ts';
import { SnapshotActions } from './snapshot-actions.tsx';
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
