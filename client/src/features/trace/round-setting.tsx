import type { TraceCatalogue, TraceRound } from '@knowhow/shared/chat/traces';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Bolt } from '../../ui/bolt.tsx';
import { Expander } from '../../ui/layout/expander.tsx';
import { SearchField } from '../../ui/layout/search-field.tsx';
import { useFormat } from '../../ui/text/use-format.ts';
import classes from './trace-rounds.module.css';
import { TraceText } from './trace-text.tsx';

interface RoundSettingProps {
  round: TraceRound;
  before: TraceRound | undefined;
  skillsOff: string[];
}

/** The setup of a request: system prompt, catalogue, tools, active skills. */
export function RoundSetting({ round, before, skillsOff }: RoundSettingProps) {
  const { t } = useTranslation();
  const { activeSkills, versions } = round;
  return (
    <div className={classes.setting}>
      {before && isSame(round, before) ? (
        <p className={classes.quiet}>{t('trace.same')}</p>
      ) : (
        <>
          <SystemPrompt round={round} />
          <Catalogue round={round} skillsOff={skillsOff} />
          <Tools round={round} />
        </>
      )}
      {activeSkills.length > 0 && (
        <p className={classes.active}>
          <span className={classes.quiet}>{t('trace.active')}</span>
          {activeSkills.map((name) => (
            <span key={name} className={classes.skill}>
              <Bolt size={13} /> {name}
              {Object.hasOwn(versions, name) && (
                <> · {t('activation.version', { number: versions[name] })}</>
              )}
            </span>
          ))}
        </p>
      )}
    </div>
  );
}

function isSame(one: TraceRound, other: TraceRound): boolean {
  const settingOf = ({ system, catalogue, tools }: TraceRound) =>
    JSON.stringify([system, catalogue, tools]);
  return settingOf(one) === settingOf(other);
}

function SystemPrompt({ round }: { round: TraceRound }) {
  const { t } = useTranslation();
  const { system } = round;
  const count = system.reduce((sum, { tokens }) => sum + tokens, 0);
  return (
    system.length > 0 && (
      <Expander summary={t('trace.systemTokens', { count })}>
        {system.map(({ kind, text }) => (
          <section key={kind} className={classes.block}>
            <h5 className={classes.role}>{t(blocks[kind])}</h5>
            <TraceText text={text} />
          </section>
        ))}
      </Expander>
    )
  );
}

const blocks = {
  app: 'trace.block.app',
  catalogue: 'trace.block.catalogue',
  skills: 'trace.block.skills',
  instruction: 'trace.block.instruction',
} as const;

function Catalogue({ round, skillsOff }: Omit<RoundSettingProps, 'before'>) {
  const { t } = useTranslation();
  const { catalogue, purpose } = round;
  const { totals } = catalogue;
  const all = totals.offered + totals.named + totals.leftOut + totals.userOnly;
  return (
    purpose !== 'summary' &&
    all > 0 && (
      <Expander summary={t('trace.catalogue', { listed: totals.offered, all })}>
        <CatalogueLists catalogue={catalogue} skillsOff={purpose === 'answer' ? skillsOff : []} />
      </Expander>
    )
  );
}

function Tools({ round }: { round: TraceRound }) {
  const { t } = useTranslation();
  const { tools } = round;
  return (
    tools.length > 0 && (
      <Expander summary={t('trace.tools', { count: tools.length })}>
        <ul className={classes.calls}>
          {tools.map(({ name, description, parameters }) => (
            <li key={name}>
              <code className={classes.call}>
                <b>{name}</b>
              </code>
              <p className={classes.about}>{description}</p>
              <TraceText
                text={JSON.stringify(parameters, null, 2)}
                summary={t('trace.parameters')}
              />
            </li>
          ))}
        </ul>
      </Expander>
    )
  );
}

interface CatalogueListsProps {
  catalogue: TraceCatalogue;
  skillsOff: string[];
}

/** Longer lists of names are truncated. */
const searchedFrom = 20;

/** The skills in the catalogue, and those left out. */
function CatalogueLists({ catalogue, skillsOff }: CatalogueListsProps) {
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
