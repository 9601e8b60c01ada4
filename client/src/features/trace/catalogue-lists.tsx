import type { TraceCatalogue } from '@knowhow/shared/chat/traces';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { SearchField } from '../../ui/layout/search-field.tsx';
import { useFormat } from '../../ui/text/use-format.ts';
import classes from './trace-rounds.module.css';

interface CatalogueListsProps {
  catalogue: TraceCatalogue;
  skillsOff: string[];
}

/** Longer lists of names are truncated. */
const searchedFrom = 20;

/** The skills in the catalogue, and those left out. */
export function CatalogueLists({ catalogue, skillsOff }: CatalogueListsProps) {
  const { t } = useTranslation();
  const { number } = useFormat();
  const { mode, budget = 0, totals } = catalogue;
  return (
    <>
      <p className={classes.about}>{t(modes[mode], { budget: number(budget) })}</p>
      {lists.map(({ list, title }) => (
        <NameList key={list} title={t(title)} names={catalogue[list]} total={totals[list]} />
      ))}
      <NameList title={t('trace.switchedOff')} names={skillsOff} total={skillsOff.length} />
    </>
  );
}

const modes = {
  all: 'trace.mode.all',
  shortened: 'trace.mode.shortened',
  names: 'trace.mode.names',
  ranked: 'trace.mode.ranked',
  search: 'trace.mode.search',
  off: 'trace.mode.off',
  router: 'trace.mode.router',
  none: 'trace.mode.none',
} as const;

const lists = [
  { list: 'offered', title: 'trace.list.offered' },
  { list: 'shortened', title: 'trace.list.shortened' },
  { list: 'named', title: 'trace.list.named' },
  { list: 'leftOut', title: 'trace.list.leftOut' },
  { list: 'userOnly', title: 'trace.list.userOnly' },
] as const;

interface NameListProps {
  title: string;
  names: string[];
  /** Their total number, including those without names. */
  total: number;
}

function NameList({ title, names, total }: NameListProps) {
  const { t } = useTranslation();
  const { number } = useFormat();
  const [wanted, setWanted] = useState('');
  const [isWhole, setIsWhole] = useState(false);
  const found = names.filter((name) => name.includes(wanted.toLowerCase()));
  const shown = isWhole ? found : found.slice(0, searchedFrom);
  if (total === 0) {
    return null;
  }
  return (
    <section className={classes.block} aria-label={title}>
      <h5 className={classes.role}>
        {title} <span className={classes.quiet}>{number(total)}</span>
      </h5>
      {names.length > searchedFrom && (
        <SearchField label={t('trace.filter')} value={wanted} onChange={setWanted} />
      )}
      {found.length === 0 ? (
        <p className={classes.quiet}>{t('trace.nothingLike')}</p>
      ) : (
        <ul className={classes.names}>
          {shown.map((name) => (
            <li key={name}>
              <code>{name}</code>
            </li>
          ))}
          {shown.length < found.length && (
            <li>
              <button type="button" className={classes.more} onClick={() => setIsWhole(true)}>
                {t('trace.more', { count: found.length - shown.length })}
              </button>
            </li>
          )}
          {isWhole && names.length < total && (
            <li className={classes.quiet}>{t('trace.more', { count: total - names.length })}</li>
          )}
        </ul>
      )}
    </section>
  );
}
