import { skillVersionsApi } from '@knowhow/shared/skills/skill-versions';
import { IconX } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useId, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { query } from '../../../api/query.ts';
import { FileChanges } from '../../../ui/files/file-changes.tsx';
import { useDiffLayout } from '../../../ui/files/use-diff-layout.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { LoadError } from '../../../ui/loading/load-error.tsx';
import { Rows } from '../rows.tsx';
import classes from './version-comparison.module.css';

/** Numbers of two versions, the earlier one first. */
export interface Compared {
  from: number;
  to: number;
}

interface VersionComparisonProps {
  /** Name of the skill. */
  name: string;
  compared: Compared;
  onClose: () => void;
}

/** The differences between two versions, in one column or, on a wide screen, in two. */
export function VersionComparison({ name, compared, onClose }: VersionComparisonProps) {
  const { t } = useTranslation();
  const id = useId();
  const heading = useRef<HTMLHeadingElement>(null);
  const layout = useDiffLayout();
  const { from, to } = compared;
  const diff = useQuery(
    query(skillVersionsApi.diff, { params: { skill: name, number: to }, query: { from } }),
  );

  // biome-ignore lint/correctness/useExhaustiveDependencies: another comparison gets the focus
  useEffect(() => heading.current?.focus(), [from, to]);

  return (
    <section className={classes.comparison} aria-labelledby={id}>
      <div className={classes.head}>
        <h3 id={id} ref={heading} tabIndex={-1}>
          {t('skillPage.comparison', { from, to })}
        </h3>
        {layout.choice}
        <IconButton
          label={t('skillPage.closeComparison')}
          icon={<IconX size={16} />}
          onClick={onClose}
        />
      </div>
      <LoadError queries={[diff]} />
      {diff.isPending && <Rows />}
      {diff.data && <FileChanges changes={diff.data.changes} isSplit={layout.isSplit} />}
    </section>
  );
}
