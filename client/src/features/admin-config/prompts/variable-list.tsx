import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { asList, asRecord, asText } from '../items/config-value.ts';
import { useField } from '../items/draft-context.ts';
import classes from '../items/item-page.module.css';
import { ListEditor } from '../list-editor.tsx';

interface VariableListProps {
  path: string;
  /** Label of an unnamed variable by number, from 1. */
  nameOf: (number: number) => string;
  addLabel: string;
  children: (path: string, variable: Record<string, unknown>) => ReactNode;
}

/** The variables of an app or a prompt. */
export function VariableList({ path, nameOf, addLabel, children }: VariableListProps) {
  const variables = asList(useField(path).value);
  return (
    <ListEditor
      path={path}
      nameOf={(number) => asText(asRecord(variables[number - 1]).name) ?? nameOf(number)}
      addLabel={addLabel}
      blank={{ type: 'string' }}
    >
      {(item, index) => children(item, asRecord(variables[index]))}
    </ListEditor>
  );
}

/** The names of the variables at `path`. */
export function useVariableNames(path: string): Set<string | undefined> {
  return new Set(asList(useField(path).value).map((variable) => asText(asRecord(variable).name)));
}

interface MissingVariablesProps {
  path: string;
  about: string;
  /** The names that can become variables; the list is hidden without a text. */
  names: string[];
  addLabel: (name: string) => string;
}

/** Names in a text without a variable, each with a button to add one. */
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
          onClick={() => variables.set([...asList(variables.value), { name, type: 'string' }])}
        >
          {addLabel(name)}
        </Button>
      ))}
    </div>
  );
}
