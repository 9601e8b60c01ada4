import type { SkillAccess } from '@knowhow/shared/admin-skill';
import { useMediaQuery } from '@mantine/hooks';
import { IconCheck, IconX } from '@tabler/icons-react';
import type { CSSProperties } from 'react';
import { useTranslation } from 'react-i18next';
import { ScrollingGroup } from '../../ui/scrolling-group.tsx';
import classes from './access-table.module.css';
import { useAccessRule } from './use-access-rule.ts';

type Cell = SkillAccess['cells'][number];

/** Each group in each app: whether it sees the skill, and why. On a phone a card for each group. */
export function AccessTable({ access }: { access: SkillAccess }) {
  const isPhone = useMediaQuery('(max-width: 47.99em)', false, { getInitialValueInEffect: false });
  const names = new Map(access.groups.map(({ id, name }) => [id, name]));
  const cells = new Map(
    access.cells.map((cell) => [keyOf(cell), { ...cell, via: cell.via && names.get(cell.via) }]),
  );
  const rows = access.groups.map((group) => ({
    ...group,
    answers: access.apps.map((app) => ({
      app,
      cell: cells.get(keyOf({ group: group.id, app: app.id })),
    })),
  }));
  return isPhone ? <Cards rows={rows} /> : <Table rows={rows} apps={access.apps} />;
}

interface Row {
  id: string;
  name: string;
  answers: { app: { id: string; name: string }; cell: Cell | undefined }[];
}

function Table({ rows, apps }: { rows: Row[]; apps: SkillAccess['apps'] }) {
  const { t } = useTranslation();
  return (
    <ScrollingGroup className={classes.table} label={t('skillPage.whoSees')}>
      <table style={{ '--columns': apps.length + 1 } as CSSProperties}>
        <thead>
          <tr>
            <th scope="col">{t('skillPage.group')}</th>
            {apps.map(({ id, name }) => (
              <th key={id} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ id, name, answers }) => (
            <tr key={id}>
              <th scope="row">{name}</th>
              {answers.map(({ app, cell }) => (
                <td key={app.id}>{cell && <Answer cell={cell} />}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollingGroup>
  );
}

function Cards({ rows }: { rows: Row[] }) {
  return (
    <ul className={classes.cards}>
      {rows.map(({ id, name, answers }) => (
        <li key={id}>
          <h3>{name}</h3>
          <dl>
            {answers.map(({ app, cell }) => (
              <div key={app.id}>
                <dt>{app.name}</dt>
                <dd>{cell && <Answer cell={cell} />}</dd>
              </div>
            ))}
          </dl>
        </li>
      ))}
    </ul>
  );
}

function Answer({ cell }: { cell: Cell }) {
  const { t } = useTranslation();
  const ruleText = useAccessRule();
  return (
    <>
      <span className={classes.answer} data-sees={cell.sees || undefined}>
        {cell.sees ? <IconCheck size={16} aria-hidden /> : <IconX size={16} aria-hidden />}
        {cell.sees ? t('skillPage.yes') : t('skillPage.no')}
      </span>
      <span className={classes.rule}>{ruleText(cell)}</span>
    </>
  );
}

function keyOf({ group, app }: Pick<Cell, 'group' | 'app'>): string {
  return `${group}\n${app}`;
}
