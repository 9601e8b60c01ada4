import type { SkillAccess } from '@knowhow/shared/skills/admin-skill';
import { Select, Tooltip } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconCheck, IconX } from '@tabler/icons-react';
import { type KeyboardEvent, memo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ScrollingGroup } from '../../../ui/layout/scrolling-group.tsx';
import { SearchField } from '../../../ui/layout/search-field.tsx';
import classes from './access-table.module.css';
import { useAccessRule } from './use-access-rule.ts';

/** With fewer, scanning is faster than searching. */
const searchFrom = 10;

/** The access of each group in each app, with reasons. On a phone, one app at a time. */
export function AccessTable({ access }: { access: SkillAccess }) {
  const { t } = useTranslation();
  const isPhone = useMediaQuery('(max-width: 47.99em)', false, { getInitialValueInEffect: false });
  const groups = useSearch(access.groups);
  const apps = useSearch(access.apps);
  const names = new Map(access.groups.map(({ id, name }) => [id, name]));
  const cells = new Map(
    access.cells.map((cell) => [
      getCellKey(cell.group, cell.app),
      { ...cell, via: cell.via && (names.get(cell.via) ?? cell.via) },
    ]),
  );
  const cellOf = (group: string, app: string) => cells.get(getCellKey(group, app));
  if (isPhone) {
    return <AccessList groups={access.groups} apps={access.apps} cellOf={cellOf} />;
  }
  return (
    <div className={classes.access}>
      <div className={classes.searches}>
        {access.groups.length > searchFrom && (
          <SearchField label={t('skillPage.searchGroups')} {...groups.field} />
        )}
        {access.apps.length > searchFrom && (
          <SearchField label={t('skillPage.searchApps')} {...apps.field} />
        )}
      </div>
      {groups.found.length === 0 && <p>{t('skillPage.noSuchGroup')}</p>}
      {apps.found.length === 0 && <p>{t('skillPage.noSuchApp')}</p>}
      {groups.found.length > 0 && apps.found.length > 0 && (
        <AccessGrid groups={groups.found} apps={apps.found} cellOf={cellOf} />
      )}
    </div>
  );
}

function useSearch(all: readonly Named[]) {
  const [value, onChange] = useState('');
  const words = value.toLowerCase();
  const found = all.filter(({ id, name }) => `${id}\n${name}`.toLowerCase().includes(words));
  return { found, field: { value, onChange } };
}

function getCellKey(group: string, app: string): string {
  return `${group}\n${app}`;
}

/** One app at a time, with all groups; initially one in which a group has access. */
function AccessList({ groups, apps, cellOf }: AccessProps) {
  const { t } = useTranslation();
  const ruleText = useAccessRule();
  const [chosen, setChosen] = useState<string>();
  const seen = (app: string) => groups.filter(({ id }) => cellOf(id, app)?.sees).length;
  const app = chosen ?? apps.find(({ id }) => seen(id) > 0)?.id ?? apps[0]?.id ?? '';
  return (
    <div className={classes.list}>
      <Select
        label={t('skillPage.app')}
        data={apps.map(({ id, name }) => ({
          value: id,
          label: t('skillPage.seenByGroups', { app: name, count: seen(id) }),
        }))}
        value={app}
        onChange={(value) => setChosen(value ?? undefined)}
        allowDeselect={false}
        searchable={apps.length > 10}
      />
      <ul>
        {groups.map(({ id, name }) => {
          const cell = cellOf(id, app);
          return (
            <li key={id} data-sees={cell?.sees || undefined}>
              {cell?.sees ? <IconCheck size={18} aria-hidden /> : <IconX size={18} aria-hidden />}
              <strong>{name}</strong>
              {cell && (
                <span>
                  {t('skillPage.answer', {
                    answer: cell.sees ? t('skillPage.yes') : t('skillPage.no'),
                    rule: ruleText(cell),
                  })}
                </span>
              )}
            </li>
          );
        })}
      </ul>
    </div>
  );
}

/** With more columns their names are rotated. */
const mostLevel = 8;

/** A mark for each group in each app; hover or focus shows the reason. */
function AccessGrid({ groups, apps, cellOf }: AccessProps) {
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

type AccessCell = SkillAccess['cells'][number];

/** ID and display name of an app or a group. */
interface Named {
  id: string;
  name: string;
}

interface AccessProps {
  groups: readonly Named[];
  apps: readonly Named[];
  /** Whether a group has access to the skill in an app, and why. */
  cellOf: (group: string, app: string) => AccessCell | undefined;
}

/** The button in a table that an arrow key moves to (roving tab stop). */
function nextCell(table: HTMLTableElement | null, key: string): HTMLElement | undefined {
  const now = table?.ownerDocument.activeElement;
  const cell = now?.closest('td');
  const row = cell?.closest('tr');
  if (!table || !now || !cell || !row) {
    return undefined;
  }
  const rows = [...(table.tBodies[0]?.rows ?? [])];
  const at = rows.indexOf(row);
  const column = cell.cellIndex;
  const target = {
    ArrowLeft: row.cells[column - 1],
    ArrowRight: row.cells[column + 1],
    ArrowUp: rows[at - 1]?.cells[column],
    ArrowDown: rows[at + 1]?.cells[column],
    Home: row.cells[1],
    End: row.cells[row.cells.length - 1],
  }[key];
  const button = target?.querySelector<HTMLElement>('button') ?? undefined;
  if (button) {
    now.setAttribute('tabindex', '-1');
    button.setAttribute('tabindex', '0');
  }
  return button;
}
