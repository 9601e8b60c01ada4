import { skillBinApi } from '@knowhow/shared/skills/skill-bin';
import { Button } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { query } from '../../api/query.ts';
import { useFormat } from '../../ui/text/use-format.ts';
import classes from './bin-link.module.css';

/** The link to the bin, with the number of deleted skills; nothing if it is empty. */
export function BinLink() {
  const { t } = useTranslation();
  const { number } = useFormat();
  const { data } = useQuery(query(skillBinApi.list, { query: { limit: 1 } }));
  const all = data?.all ?? 0;
  return (
    all > 0 && (
      <Button
        component={Link}
        to="/admin/skills/-/bin"
        className={classes.link}
        variant="default"
        leftSection={<IconTrash size={17} aria-hidden />}
      >
        {t('skillBin.link', { total: number(all) })}
      </Button>
    )
  );
}
