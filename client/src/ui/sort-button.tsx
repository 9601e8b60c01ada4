import { UnstyledButton } from '@mantine/core';
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import classes from './sort-button.module.css';

export type Sorted = 'ascending' | 'descending';

interface SortButtonProps {
  /** What the column is called. */
  children: ReactNode;
  /** How the table is sorted by it; the head's `aria-sort` says the same. */
  sorted?: Sorted | undefined;
  onSort: () => void;
}

/** In the head of a column: sorts by it, or the other way round. */
export function SortButton({ children, sorted, onSort }: SortButtonProps) {
  const Arrow = sorted === 'ascending' ? IconArrowUp : IconArrowDown;
  return (
    <UnstyledButton className={classes.sort} onClick={onSort}>
      {children}
      {sorted && <Arrow size={14} aria-hidden />}
    </UnstyledButton>
  );
}
