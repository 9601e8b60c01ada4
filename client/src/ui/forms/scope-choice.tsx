import type { KeyScope } from '@knowhow/shared/access/key-scopes';
import { Checkbox } from '@mantine/core';
import classes from './scope-choice.module.css';

interface ScopeChoiceProps<Scope extends KeyScope> {
  label: string;
  choices: readonly Scope[];
  nameOf: (scope: Scope) => string;
  value: Scope[];
  onChange: (scopes: Scope[]) => void;
}

/** Selects the scopes of a key. */
export function ScopeChoice<Scope extends KeyScope>({
  label,
  choices,
  nameOf,
  value,
  onChange,
}: ScopeChoiceProps<Scope>) {
  return (
    <Checkbox.Group
      label={label}
      value={value}
      onChange={(values) => onChange(choices.filter((scope) => values.includes(scope)))}
    >
      <div className={classes.scopes}>
        {choices.map((scope) => (
          <Checkbox key={scope} value={scope} label={nameOf(scope)} />
        ))}
      </div>
    </Checkbox.Group>
  );
}
