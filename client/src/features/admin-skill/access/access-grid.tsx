import { Tooltip } from '@mantine/core';
import { IconCheck, IconX } from '@tabler/icons-react';
import { type KeyboardEvent, memo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ScrollingGroup } from '../../../ui/layout/scrolling-group.tsx';
import classes from './access-grid.module.css';
import type { AccessCell, AccessProps } from './access-props.ts';
import { nextCell } from './next-cell.ts';
import { useAccessRule } from './use-access-rule.ts';

/** With more columns their names are rotated. */
const mostLevel = 8;

/** A mark for each group in each app; hover or focus shows the reason. */
export function AccessGrid({ groups, apps, cellOf }: AccessProps) {
  const { t } = useTranslation();
  const table = useRef<HTMLTableElement>(null);
  const [target, setTarget] = useState<HTMLElement | null>(null);

  function onKeyDown(event: KeyboardEvent<HTMLElement>) {
    if (event.key === 'Escape') {
      setTarget(null);
    }
    const next = nextCell(table.current, event.key);
    if (next) {
      event.preventDefault();
      next.focus();
    }
  }

  function show({ target: at }: { target: EventTarget }) {
    setTarget(at instanceof Element ? at.closest<HTMLElement>('[data-reason]') : null);
  }

  return (
    <>
      <ScrollingGroup className={classes.box} label={t('skillPage.whoSees')}>
        <table
          ref={table}
          className={classes.table}
          data-turned={apps.length > mostLevel || undefined}
          onKeyDown={onKeyDown}
          onPointerOver={show}
          onPointerLeave={() => setTarget(null)}
          onFocus={show}
          onBlur={() => setTarget(null)}
        >
          <thead>
            <tr>
              <th scope="col">{t('skillPage.group')}</th>
              {apps.map(({ id, name }) => (
                <th key={id} scope="col" data-reason={name}>
                  <span>{name}</span>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {groups.map((group, row) => (
              <tr key={group.id}>
                <th scope="row" data-reason={group.name}>
                  <span>{group.name}</span>
                </th>
                {apps.map((app, column) => (
                  <td key={app.id}>
                    <Mark
                      cell={cellOf(group.id, app.id)}
                      where={t('skillPage.groupInApp', { group: group.name, app: app.name })}
                      isFirst={row === 0 && column === 0}
                    />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollingGroup>
      {target && (
        <Tooltip opened target={target} label={target.dataset.reason} multiline maw={320} fz="xs" />
      )}
    </>
  );
}

interface MarkProps {
  cell: AccessCell | undefined;
  /** The group and the app. */
  where: string;
  isFirst: boolean;
}

/** Arrow keys move between the marks, so that only one of them is a tab stop. */
const Mark = memo(function Mark({ cell, where, isFirst }: MarkProps) {
  const { t } = useTranslation();
  const ruleText = useAccessRule();
  if (!cell) {
    return null;
  }
  const answer = t('skillPage.answer', {
    answer: cell.sees ? t('skillPage.yes') : t('skillPage.no'),
    rule: ruleText(cell),
  });
  return (
    <button
      type="button"
      className={classes.mark}
      tabIndex={isFirst ? 0 : -1}
      aria-label={answer}
      data-sees={cell.sees || undefined}
      data-reason={`${where}. ${answer}`}
    >
      {cell.sees ? <IconCheck size={16} aria-hidden /> : <IconX size={13} aria-hidden />}
    </button>
  );
});
