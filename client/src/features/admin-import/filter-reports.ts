import type { SkillReport } from '@knowhow/shared/skills/skill-archives';
import { type Choices, getChoice, possibleActions } from './import-plan.ts';

/** How a skill of an archive relates to the installed skills. */
type ReportState = 'new' | 'changed' | 'identical' | 'needsReview' | 'rejected';

/** How the skills of an archive are grouped and found. */
export const reportReview = {
  states: ['new', 'changed', 'identical', 'needsReview', 'rejected', 'findings'] as const,
  getStates: (skill: SkillReport) =>
    hasFindings(skill) ? [getReportState(skill), 'findings' as const] : [getReportState(skill)],
  getText: ({ name, folder, description }: SkillReport) => `${name}\n${folder}\n${description}`,
};

/** `rejected` is a skill that cannot be installed under its name. */
function getReportState({ accepted, conflict, needsReview }: SkillReport): ReportState {
  if (needsReview) {
    return 'needsReview';
  }
  if (!accepted) {
    return 'rejected';
  }
  if (!conflict) {
    return 'new';
  }
  return conflict.changes.length === 0 ? 'identical' : 'changed';
}

/** Whether there is more to read about a skill than its changes. */
function hasFindings({ diagnostics, checks = [], files }: SkillReport): boolean {
  return (
    checks.length > 0 ||
    diagnostics.some(({ severity }) => severity === 'error') ||
    files.some((file) => file.diagnostics.length > 0)
  );
}

/** Whether installing the skill would change anything. */
export function isWorthInstalling(skill: SkillReport): boolean {
  return getReportState(skill) !== 'identical' && possibleActions(skill)[0] !== 'skip';
}

/** Selects those of the skills that are worth installing and skipped so far, or skips all of them. */
export function chooseAll(
  skills: readonly SkillReport[],
  choices: Choices,
  action: 'select' | 'skip',
): Choices {
  const changed = { ...choices };
  for (const skill of skills) {
    const choice = getChoice(skill, choices);
    const [wanted = 'skip'] = possibleActions(skill);
    if (action === 'skip') {
      changed[skill.folder] = { ...choice, action };
    } else if (choice.action === 'skip' && isWorthInstalling(skill)) {
      changed[skill.folder] = { ...choice, action: wanted };
    }
  }
  return changed;
}
