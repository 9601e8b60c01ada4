import { Button } from '@mantine/core';
import type { InfiniteQueryObserverResult } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import classes from './more-button.module.css';

interface MoreButtonProps {
  list: Pick<InfiniteQueryObserverResult, 'hasNextPage' | 'isFetchingNextPage' | 'fetchNextPage'>;
}

/** Loads the next page of a list, if there is one. */
export function MoreButton({ list }: MoreButtonProps) {
  const { t } = useTranslation();
  return (
    list.hasNextPage && (
      <Button
        className={classes.more}
        variant="default"
        loading={list.isFetchingNextPage}
        onClick={() => list.fetchNextPage()}
      >
        {t('action.showMore')}
      </Button>
    )
  );
}
