import { Button } from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconPlus, IconTrash } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { flushSync } from 'react-dom';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../../ui/icon-button.tsx';
import type { ConfigPath } from './items/config-path.ts';
import { asList } from './items/config-value.ts';
import { useDraft, useField } from './items/draft-context.ts';
import classes from './list-editor.module.css';

interface ListEditorProps<Path extends ConfigPath> {
  path: Path;
  /** Label of one item. */
  nameOf: (number: number) => string;
  addLabel: string;
  /** Value of a new item. */
  blank: unknown;
  /** The fields of one item, below this path. */
  children: (path: `${Path}.${number}`, index: number) => ReactNode;
}

/** A list of items with fields, which can be added, removed and reordered. */
export function ListEditor<Path extends ConfigPath>(props: ListEditorProps<Path>) {
  const { path, nameOf, addLabel, blank, children } = props;
  const { t } = useTranslation();
  const { value, set } = useField(path);
  const { form } = useDraft();
  const items = asList(value);
  const [keys, setKeys] = useState<number[]>([]);
  const next = Math.max(0, ...keys.map((key) => key + 1));

  if (keys.length !== items.length) {
    // The list was reloaded or edited as text.
    setKeys(items.map((_, index) => next + index));
  }

  function add() {
    set([...items, blank]);
    setKeys([...keys, next]);
  }

  function remove(index: number) {
    form.removeListItem(path, index);
    setKeys(keys.toSpliced(index, 1));
  }

  /** The button moves along and keeps the focus; at an end, its neighbour gets it. */
  function move(index: number, to: number, button: HTMLElement) {
    flushSync(() => {
      form.reorderListItem(path, { from: index, to });
      setKeys(keys.toSpliced(index, 1).toSpliced(to, 0, keys[index] ?? next));
    });
    const usable = button.parentElement?.querySelector<HTMLElement>('button:enabled');
    (button.matches(':disabled') ? usable : button)?.focus();
  }

  return (
    <div className={classes.list}>
      {items.map((_, index) => {
        const name = nameOf(index + 1);
        return (
          <fieldset key={keys[index]} className={classes.item}>
            <legend className={classes.legend}>{name}</legend>
            <div className={classes.actions}>
              <IconButton
                label={t('adminConfig.list.up', { name })}
                icon={<IconArrowUp size={16} />}
                disabled={index === 0}
                onClick={(event) => move(index, index - 1, event.currentTarget)}
              />
              <IconButton
                label={t('adminConfig.list.down', { name })}
                icon={<IconArrowDown size={16} />}
                disabled={index === items.length - 1}
                onClick={(event) => move(index, index + 1, event.currentTarget)}
              />
              <IconButton
                label={t('adminConfig.list.remove', { name })}
                icon={<IconTrash size={16} />}
                onClick={() => remove(index)}
              />
            </div>
            {children(`${path}.${index}`, index)}
          </fieldset>
        );
      })}
      <Button
        className={classes.add}
        variant="default"
        leftSection={<IconPlus size={16} aria-hidden />}
        onClick={add}
      >
        {addLabel}
      </Button>
    </div>
  );
}
