import type { TraceRound } from '@knowhow/shared/chat/traces';
import { useTranslation } from 'react-i18next';
import { Bolt } from '../../ui/bolt.tsx';
import { Expander } from '../../ui/layout/expander.tsx';
import { CatalogueLists } from './catalogue-lists.tsx';
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
  const { activeSkills } = round;
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
