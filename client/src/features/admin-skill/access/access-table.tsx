import type { SkillAccess } from '@knowhow/shared/skills/admin-skill';
import { useMediaQuery } from '@mantine/hooks';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { SearchField } from '../../../ui/layout/search-field.tsx';
import { AccessGrid } from './access-grid.tsx';
import { AccessList } from './access-list.tsx';
import type { Named } from './access-props.ts';
import classes from './access-table.module.css';

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
