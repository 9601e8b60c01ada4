import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { listOf, recordOf, textOf } from '../items/config-value.ts';
import { useField } from '../items/draft-context.ts';
import classes from '../items/item-page.module.css';
import { ListEditor } from '../list-editor.tsx';

interface VariableListProps {
  path: string;
  /** What a variable is called that has no name yet; the first is 1. */
  nameOf: (number: number) => string;
  addLabel: string;
  children: (path: string, variable: Record<string, unknown>) => ReactNode;
}

/** The variables of an app or a prompt, one after the other. */
export function VariableList({ path, nameOf, addLabel, children }: VariableListProps) {
  const variables = listOf(useField(path).value);
  return (
    <ListEditor
      path={path}
      nameOf={(number) => textOf(recordOf(variables[number - 1]).name) ?? nameOf(number)}
      addLabel={addLabel}
      blank={{ type: 'string' }}
    >
      {(item, index) => children(item, recordOf(variables[index]))}
    </ListEditor>
  );
}

/** The names that the variables at `path` have. */
export function useVariableNames(path: string): Set<string | undefined> {
  return new Set(listOf(useField(path).value).map((variable) => textOf(recordOf(variable).name)));
}

interface MissingVariablesProps {
  path: string;
  about: string;
  /** Which can become variables; none is shown without a text. */
  names: string[];
  addLabel: (name: string) => string;
}

/** Names that a text uses and no variable has, each with a button that makes it one. */
export function MissingVariables({ path, about, names, addLabel }: MissingVariablesProps) {
  const variables = useField(path);
  return (
    <div className={classes.hint} role="status">
      <p>{about}</p>
      {names.map((name) => (
        <Button
          key={name}
          variant="default"
          size="compact-sm"
          leftSection={<IconPlus size={14} aria-hidden />}
          onClick={() => variables.set([...listOf(variables.value), { name, type: 'string' }])}
        >
          {addLabel(name)}
        </Button>
      ))}
    </div>
  );
}
