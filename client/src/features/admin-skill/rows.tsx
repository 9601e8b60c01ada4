import { Skeleton } from '@mantine/core';
import classes from './rows.module.css';

/** Skeleton of a list. */
export function Rows() {
  return (
    <div className={classes.rows} aria-hidden>
      {['46%', '58%', '38%', '52%'].map((width) => (
        <Skeleton key={width} height={12} width={width} />
      ))}
    </div>
  );
}
