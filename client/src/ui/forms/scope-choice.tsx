import { type KeyScope, keyScopes } from '@knowhow/shared/access/key-scopes';
import { Checkbox } from '@mantine/core';
import classes from './scope-choice.module.css';

interface ScopeChoiceProps {
  label: string;
  nameOf: (scope: KeyScope) => string;
  value: KeyScope[];
  onChange: (scopes: KeyScope[]) => void;
}

/** Selects the scopes of a key. */
export function ScopeChoice({ label, nameOf, value, onChange }: ScopeChoiceProps) {
  return (
    <Checkbox.Group
      label={label}
      value={value}
      onChange={(values) => onChange(keyScopes.filter((scope) => values.includes(scope)))}
    >
      <div className={classes.scopes}>
        {keyScopes.map((scope) => (
          <Checkbox key={scope} value={scope} label={nameOf(scope)} />
        ))}
      </div>
    </Checkbox.Group>
  );
}
