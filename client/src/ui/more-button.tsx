import { Button, type ButtonProps } from '@mantine/core';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useFocusFirstNew } from './focus/use-focus-first-new.ts';
import classes from './more-button.module.css';

interface MoreButtonProps {
  list: {
    hasNextPage: boolean;
    isFetchingNextPage: boolean;
    fetchNextPage: () => unknown;
  };
  /** For a narrow list. */
  size?: ButtonProps['size'];
}

/**
 * Loads the next page of the list before it, if there is one. The focus moves to the first new item: the next press of
 * Tab continues there, and the button may be gone.
 */
export function MoreButton({ list, size }: MoreButtonProps) {
  const { t } = useTranslation();
  const button = useRef<HTMLButtonElement>(null);
  const focusFirstNew = useFocusFirstNew(button, list.isFetchingNextPage);
  return (
    list.hasNextPage && (
      <Button
        ref={button}
        className={classes.more}
        variant={size ? 'subtle' : 'default'}
        color={size ? 'gray' : undefined}
        size={size}
        loading={list.isFetchingNextPage}
        onClick={() => {
          focusFirstNew();
          list.fetchNextPage();
        }}
      >
        {t('action.showMore')}
      </Button>
    )
  );
}
