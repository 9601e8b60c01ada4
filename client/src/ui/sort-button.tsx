import { UnstyledButton } from '@mantine/core';
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import classes from './sort-button.module.css';

export type Sorted = 'ascending' | 'descending';

interface SortButtonProps {
  /** The column's name. */
  children: ReactNode;
  /** The current direction of the column; the head's `aria-sort` says the same. */
  sorted?: Sorted | undefined;
  onSort: () => void;
}

/** A column head that sorts, or reverses the direction. */
export function SortButton({ children, sorted, onSort }: SortButtonProps) {
  const Arrow = sorted === 'ascending' ? IconArrowUp : IconArrowDown;
  return (
    <UnstyledButton className={classes.sort} onClick={onSort}>
      {children}
      {sorted && <Arrow size={14} aria-hidden />}
    </UnstyledButton>
  );
}
