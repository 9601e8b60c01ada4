import type { BackupPart, backupStateSchema } from '@knowhow/shared/config/backup';
import { Button, Checkbox, Skeleton } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import type { UseQueryResult } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { z } from 'zod';
import { Section } from '../../ui/layout/section.tsx';
import { LoadError } from '../../ui/loading/load-error.tsx';
import { useRight } from '../../ui/rights.ts';
import { useFormat } from '../../ui/text/use-format.ts';
import { exportAddress, fileParts } from './export-address.ts';
import classes from './export-section.module.css';
import { PartChoice } from './part-choice.tsx';

export type BackupStateQuery = UseQueryResult<z.output<typeof backupStateSchema>>;

/** The contents of a backup and its download link: the browser writes it to disk. */
export function ExportSection({ state }: { state: BackupStateQuery }) {
  const { t } = useTranslation();
  const mayTakeData = useRight();
  const [parts, setParts] = useState<BackupPart[]>(fileParts);
  const [withData, setWithData] = useState(false);
  const address = exportAddress(parts, { withData });

  return (
    <Section title={t('adminBackup.export')} text={t('adminBackup.exportText')}>
      <LoadError queries={[state]} />
      <Size state={state} />
      <div className={classes.form}>
        <PartChoice
          label={t('adminBackup.exportParts')}
          parts={fileParts}
          chosen={parts}
          onChange={setParts}
        />
        {mayTakeData && (
          <Checkbox
            label={t('adminBackup.withData')}
            description={t('adminBackup.withDataText')}
            checked={withData}
            onChange={(event) => setWithData(event.currentTarget.checked)}
          />
        )}
        {address === undefined ? (
          <p className={classes.hint} role="status">
            {t('adminBackup.nothingChosen')}
          </p>
        ) : (
          <Button
            component="a"
            href={address}
            download
            leftSection={<IconDownload size={17} aria-hidden />}
          >
            {t('adminBackup.download')}
          </Button>
        )}
      </div>
    </Section>
  );
}

function Size({ state: { data, isPending } }: { state: BackupStateQuery }) {
  const { t } = useTranslation();
  const { bytes, number } = useFormat();
  if (isPending) {
    return <Skeleton className={classes.size} height={14} width="18rem" maw="100%" />;
  }
  return (
    data && (
      <p className={classes.size}>
        {t('adminBackup.size', {
          count: data.contentsFiles,
          files: number(data.contentsFiles),
          size: bytes(data.contentsBytes),
        })}
      </p>
    )
  );
}
