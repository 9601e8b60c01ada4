import { type Revision, skillHistoryApi } from '@knowhow/shared/skills/skill-history';
import { SegmentedControl } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { query } from '../../../api/query.ts';
import { FileChanges } from '../../../ui/files/file-changes.tsx';
import { LoadError } from '../../../ui/loading/load-error.tsx';
import { Rows } from '../rows.tsx';

interface RevisionChangesProps {
  /** Name of the skill. */
  name: string;
  revision: Revision;
  isFirst: boolean;
}

type Against = 'previous' | 'current';

/** The differences from the previous version, or from the current files. */
export function RevisionChanges({ name, revision, isFirst }: RevisionChangesProps) {
  const { t } = useTranslation();
  const [against, setAgainst] = useState<Against>(isFirst ? 'current' : 'previous');
  const changes = useQuery({
    ...query(skillHistoryApi.revision, {
      params: { name, revision: revision.number },
      query: { against },
    }),
    placeholderData: keepPreviousData,
  });
  return (
    <>
      {!isFirst && (
        <SegmentedControl
          aria-label={t('skillPage.compareWith')}
          size="xs"
          value={against}
          onChange={(value) => setAgainst(value as Against)}
          data={[
            { value: 'previous', label: t('skillPage.againstPrevious') },
            { value: 'current', label: t('skillPage.againstCurrent') },
          ]}
        />
      )}
      <LoadError queries={[changes]} />
      {changes.isPending && <Rows />}
      {changes.data && <FileChanges changes={changes.data.changes} />}
    </>
  );
}
