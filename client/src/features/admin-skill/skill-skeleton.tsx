import { Skeleton } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { PageFrame } from '../../ui/layout/page-frame.tsx';
import classes from './skill-skeleton.module.css';

/** Skeleton of a skill's page. */
export function SkillSkeleton({ name }: { name: string }) {
  const { t } = useTranslation();
  return (
    <PageFrame title={name} back={{ to: '/admin/skills', label: t('skillPage.back') }}>
      <div className={classes.skeleton} aria-busy aria-label={t('state.loading')} role="status">
        <Skeleton height={40} radius="md" />
        <Skeleton height={14} width="70%" />
        <Skeleton height={14} width="52%" />
        <Skeleton height={220} radius="md" />
        <Skeleton height={160} radius="md" />
      </div>
    </PageFrame>
  );
}
