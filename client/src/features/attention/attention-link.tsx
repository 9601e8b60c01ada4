import { skillAttentionApi } from '@knowhow/shared/skills/skill-attention';
import { Button } from '@mantine/core';
import { IconAlertCircle } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { query } from '../../api/query.ts';
import { useFormat } from '../../ui/text/use-format.ts';
import classes from './attention-link.module.css';

/** The link to the skills that need attention, with their number; nothing if there are none. */
export function AttentionLink({ to }: { to: string }) {
  const { t } = useTranslation();
  const { number } = useFormat();
  const { data } = useQuery(query(skillAttentionApi.list, { query: { limit: 1 } }));
  const total = data?.total ?? 0;
  return (
    total > 0 && (
      <Button
        component={Link}
        to={to}
        className={classes.link}
        variant="default"
        leftSection={<IconAlertCircle size={17} aria-hidden />}
      >
        {t('attention.link', { total: number(total) })}
      </Button>
    )
  );
}
