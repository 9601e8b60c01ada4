import { Switch } from '@mantine/core';
import type { ReactNode } from 'react';
import { textsOf } from './config-value.ts';
import { useField } from './draft-context.ts';
import classes from './fields.module.css';

interface GrantFieldProps {
  /** The path of a list of ids, in which `*` stands for all. */
  path: string;
  allLabel: string;
  description?: string;
  /** A list that is missing means all; else it means none. */
  missingIsAll?: boolean;
  /** Where some are picked. */
  children: ReactNode;
}

/** All, or the ones that are picked. */
export function GrantField(props: GrantFieldProps) {
  const { path, allLabel, description, missingIsAll = false, children } = props;
  const { value, set } = useField(path);
  const picked = textsOf(value).filter((id) => id !== '*');
  const isAll = missingIsAll ? value === undefined : textsOf(value).includes('*');

  function toggle() {
    const all = missingIsAll ? undefined : ['*', ...picked];
    set(isAll ? picked : all);
  }

  return (
    <div className={classes.grant}>
      <Switch label={allLabel} description={description} checked={isAll} onChange={toggle} />
      {!isAll && children}
    </div>
  );
}
