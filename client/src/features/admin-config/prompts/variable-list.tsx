import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { asList, asRecord, asText } from '../items/config-value.ts';
import { useField } from '../items/draft-context.ts';
import classes from '../items/item-page.module.css';
import { ListEditor } from '../list-editor.tsx';

/** The variables of an app, or those of a prompt. */
export type VariablesPath = 'userVariables' | 'variables';

interface VariableListProps<Path extends VariablesPath> {
  path: Path;
  /** Label of an unnamed variable by number, from 1. */
  nameOf: (number: number) => string;
  addLabel: string;
  children: (path: `${Path}.${number}`, variable: Record<string, unknown>) => ReactNode;
}

/** The variables of an app or a prompt. */
export function VariableList<Path extends VariablesPath>(props: VariableListProps<Path>) {
  const { path, nameOf, addLabel, children } = props;
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
export function useVariableNames(path: VariablesPath): Set<string | undefined> {
  return new Set(asList(useField(path).value).map((variable) => asText(asRecord(variable).name)));
}

interface MissingVariablesProps {
  path: VariablesPath;
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
