import { Switch } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useErrorToast } from '../../../ui/text/use-error-toast.ts';
import classes from '../fields.module.css';
import { textsOf } from '../items/config-value.ts';
import { useField } from '../items/draft-context.ts';

interface GrantFieldProps {
  /** The path of a list of ids, in which `*` stands for all. */
  path: string;
  allLabel: string;
  description?: string;
  /** A list that is missing means all; else it means none. */
  missingIsAll?: boolean;
  /** What all are: where some are to be picked from then on, these are at first. Left out: none. */
  readAll?: () => Promise<string[]>;
  /** Where some are picked, if that is not to be seen otherwise. */
  children?: ReactNode;
}

/** All, or the ones that are picked. */
export function GrantField(props: GrantFieldProps) {
  const { path, allLabel, description, missingIsAll = false, readAll, children } = props;
  const { value, set } = useField(path);
  const [isReading, setReading] = useState(false);
  const showError = useErrorToast();
  const picked = [...new Set(textsOf(value))].filter((id) => id !== '*');
  const isAll = missingIsAll ? value === undefined : textsOf(value).includes('*');

  async function pickSome() {
    if (picked.length > 0 || !readAll) {
      set(picked);
      return;
    }
    setReading(true);
    await readAll().then(set, showError);
    setReading(false);
  }

  function toggle() {
    if (isAll) {
      void pickSome();
    } else {
      set(missingIsAll ? undefined : ['*', ...picked]);
    }
  }

  return (
    <div className={classes.grant}>
      <Switch
        label={allLabel}
        description={description}
        checked={isAll && !isReading}
        disabled={isReading}
        onChange={toggle}
      />
      {!isAll && children}
    </div>
  );
}
