import type { PersonalSkill } from '@knowhow/shared/skills/personal-skills';
import { useTranslation } from 'react-i18next';
import classes from '../../ui/layout/review-state.module.css';

type Proposal = NonNullable<PersonalSkill['proposal']>;

/** The state of a proposal. */
export function ProposalState({ state }: Pick<Proposal, 'state'>) {
  const { t } = useTranslation();
  return (
    <span className={classes.state} data-state={state}>
      {t(words[state])}
    </span>
  );
}

const words = {
  open: 'mySkills.state.open',
  approved: 'mySkills.state.approved',
  returned: 'mySkills.state.returned',
  withdrawn: 'mySkills.state.withdrawn',
} as const satisfies Record<Proposal['state'], string>;
