import type { Trial } from '@knowhow/shared/config/admin';
import type { AdminSkillDetail } from '@knowhow/shared/skills/admin-skill';
import { IconX } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { Bolt } from '../../ui/bolt.tsx';
import { Expander } from '../../ui/layout/expander.tsx';
import { ScrollingGroup } from '../../ui/layout/scrolling-group.tsx';
import { CopyButton } from '../../ui/text/copy-button.tsx';
import { useFormat } from '../../ui/text/use-format.ts';
import classes from './trial-result.module.css';

interface TrialResultProps {
  skill: AdminSkillDetail;
  trial: Trial;
}

/** The exact prompt that a model would receive, and whether it contains the skill. */
export function PreviewResult({ skill: { name, displayName }, trial }: TrialResultProps) {
  const { t } = useTranslation();
  const { number } = useFormat();
  const found = trial.skills.find((skill) => skill.name === name);
  const { tokens, trimmed, skills, tools, model } = trial;
  return (
    <div className={classes.result}>
      <p className={classes.verdict} role="status">
        {found ? <Bolt size={18} /> : <IconX size={18} aria-hidden />}
        {t(getVerdict(found), { name: displayName })}
      </p>
      <p className={classes.facts}>
        {t('skillPage.trialTokens', {
          catalogue: number(tokens.catalogue),
          system: number(tokens.system),
        })}{' '}
        {model !== undefined && t('skillPage.trialModel', { model })}{' '}
        {trimmed !== 'not' && t(trims[trimmed])}
      </p>
      <Expander summary={t('skillPage.trialSkills', { count: skills.length })}>
        <Names items={skills} mark={name} />
      </Expander>
      <Expander summary={t('skillPage.trialTools', { count: tools.length })}>
        <Names items={tools} />
      </Expander>
      <Quotation label={t('skillPage.catalogue')} text={trial.catalogue} />
      {trial.withoutAppText && <p className={classes.facts}>{t('skillPage.withoutAppText')}</p>}
      <Quotation label={t('skillPage.systemPrompt')} text={trial.system} />
    </div>
  );
}

function getVerdict(found: Trial['skills'][number] | undefined) {
  if (!found) {
    return 'skillPage.isNotThere';
  }
  if (found.isAlwaysUsed) {
    return 'skillPage.isAlwaysUsed';
  }
  return found.inCatalogue ? 'skillPage.isInCatalogue' : 'skillPage.isOnlyPicked';
}

const trims = {
  descriptions: 'skillPage.trimmedDescriptions',
  'names-only': 'skillPage.trimmedToNames',
  ranked: 'skillPage.trimmedToRanked',
} as const;

interface NamesProps {
  items: { name: string; description: string }[];
  /** The name to look for. */
  mark?: string;
}

function Names({ items, mark }: NamesProps) {
  return (
    <ul className={classes.names}>
      {items.map(({ name, description }) => (
        <li key={name}>
          <code data-marked={name === mark || undefined}>{name}</code> {description}
        </li>
      ))}
    </ul>
  );
}

function Quotation({ label, text }: { label: string; text: string }) {
  if (text === '') {
    return null;
  }
  return (
    <Expander summary={label}>
      <div className={classes.quotation}>
        <div className={classes.copy}>
          <CopyButton textOf={() => text} />
        </div>
        <ScrollingGroup className={classes.quoted} label={label}>
          <pre>{text}</pre>
        </ScrollingGroup>
      </div>
    </Expander>
  );
}
