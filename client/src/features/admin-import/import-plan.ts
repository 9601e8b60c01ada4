import type { SkillReport } from '@knowhow/shared/skills/skill-archives';

export type ImportAction = 'take' | 'replace' | 'rename' | 'skip';

/** The decision for one skill of an archive. */
export interface Choice {
  action: ImportAction;
  /** The new name if it is renamed. */
  newName: string;
}

/** By folder. */
export type Choices = Readonly<Record<string, Choice>>;

/** The possible actions for a skill, the most likely first. */
export function possibleActions({
  accepted,
  renamable,
  conflict,
  folder,
  needsReview,
}: SkillReport): ImportAction[] {
  if (needsReview) {
    return ['skip'];
  }
  // A comma would split the name in the list of a query.
  const rename: ImportAction[] = folder.includes(',') ? [] : ['rename'];
  if (!accepted) {
    return renamable ? [...rename, 'skip'] : ['skip'];
  }
  return conflict ? ['replace', ...rename, 'skip'] : ['take', ...rename, 'skip'];
}

/**
 * Proposes to install every skill that can be installed. It replaces no existing skill
 * except the one named `replaced`, from whose page the import began.
 */
export function defaultChoices(skills: readonly SkillReport[], replaced?: string): Choices {
  return Object.fromEntries(
    skills.map((skill): [string, Choice] => {
      const [wanted = 'skip'] = possibleActions(skill);
      const newName = skill.conflict ? `${skill.name}-2` : skill.name;
      const isKept = skill.conflict !== undefined && skill.name !== replaced;
      return [skill.folder, { action: isKept ? 'skip' : wanted, newName }];
    }),
  );
}

export function getChoice(skill: SkillReport, choices: Choices): Choice {
  return choices[skill.folder] ?? { action: 'skip', newName: skill.name };
}

/** The selected skills. */
export function selectedSkills(skills: readonly SkillReport[], choices: Choices): SkillReport[] {
  return skills.filter((skill) => getChoice(skill, choices).action !== 'skip');
}

/** The name under which a skill will be installed. */
export function finalName(skill: SkillReport, choices: Choices): string {
  const { action, newName } = getChoice(skill, choices);
  return action === 'rename' ? newName.trim() : skill.name;
}

/** The skills to install, in the form of the contract; all under their own names by default. */
export interface Selection {
  /** Folders or names. */
  select?: string[];
  /** `folder:new-name`. */
  rename?: string[];
}

/** The selection, and whether skills are replaced. */
export function planImport(
  skills: readonly SkillReport[],
  choices: Choices,
): { selection: Selection; overwrite?: 'true' } {
  const taken = selectedSkills(skills, choices);
  const renamed = taken.filter((skill) => getChoice(skill, choices).action === 'rename');
  const replaces = taken.some((skill) => getChoice(skill, choices).action === 'replace');
  return {
    selection: {
      ...(taken.length < skills.length
        ? { select: taken.map((skill) => getSelector(skill, choices)) }
        : {}),
      ...(renamed.length > 0
        ? { rename: renamed.map((skill) => `${skill.folder}:${finalName(skill, choices)}`) }
        : {}),
    },
    ...(replaces ? { overwrite: 'true' } : {}),
  };
}

/** The folder, unless it cannot be part of a list. */
function getSelector(skill: SkillReport, choices: Choices): string {
  return skill.folder === '' || skill.folder.includes(',')
    ? finalName(skill, choices)
    : skill.folder;
}
