import { Button } from '@mantine/core';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../text/use-format.ts';
import classes from './paging.module.css';

interface PagingProps {
  page: number;
  /** The number of items on this page, and in total. */
  shown: number;
  total: number;
  /** Page size. */
  pageSize: number;
  onPage: (page: number) => void;
}

/** The range of the current page, with buttons for the next and the previous one. */
export function Paging({ page, shown, total, pageSize, onPage }: PagingProps) {
  const { t } = useTranslation();
  const { number } = useFormat();
  const before = (page - 1) * pageSize;
  return (
    <nav className={classes.paging} aria-label={t('paging.pages')}>
      <p role="status">
        {t('paging.range', {
          first: number(before + 1),
          last: number(before + shown),
          total: number(total),
        })}
      </p>
      {total > pageSize && (
        <>
          <Button
            variant="default"
            size="sm"
            leftSection={<IconChevronLeft size={16} aria-hidden />}
            disabled={page === 1}
            onClick={() => onPage(page - 1)}
          >
            {t('paging.previous')}
          </Button>
          <Button
            variant="default"
            size="sm"
            rightSection={<IconChevronRight size={16} aria-hidden />}
            disabled={before + shown >= total}
            onClick={() => onPage(page + 1)}
          >
            {t('paging.next')}
          </Button>
        </>
      )}
    </nav>
  );
}
