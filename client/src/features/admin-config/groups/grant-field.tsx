import { Switch } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useErrorToast } from '../../../ui/text/use-error-toast.ts';
import classes from '../fields.module.css';
import type { ConfigPath } from '../items/config-path.ts';
import { asList, asTexts } from '../items/config-value.ts';
import { useField } from '../items/draft-context.ts';

interface GrantFieldProps {
  /** The path of a list of IDs, in which `*` means all. */
  path: ConfigPath;
  allLabel: string;
  description?: string;
  /** Whether a missing list means all; otherwise it means none. */
  missingIsAll?: boolean;
  /** All IDs, preselected when the choice changes from all to some. Omitted: none. */
  readAll?: () => Promise<string[]>;
  /** Shown for a selection, if it is not visible otherwise. */
  children?: ReactNode;
}

/** All, or a selection. */
export function GrantField(props: GrantFieldProps) {
  const { path, allLabel, description, missingIsAll = false, readAll, children } = props;
  const { value, set } = useField(path);
  const [isReading, setReading] = useState(false);
  const showError = useErrorToast();
  // An app may pin a skill with an object in place of its ID.
  const picked = [...new Set(asList(value))].filter((id) => id !== '*');
  const isAll = missingIsAll ? value === undefined : asTexts(value).includes('*');

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
