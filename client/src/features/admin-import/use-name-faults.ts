import { adminSkillsApi } from '@knowhow/shared/skills/admin-skills';
import type { SkillReport } from '@knowhow/shared/skills/skill-archives';
import { useDebouncedValue } from '@mantine/hooks';
import { useQueries } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { query } from '../../api/query.ts';
import { useSkillTexts } from '../../ui/text/use-skill-texts.ts';
import { type Choices, finalName, getChoice, selectedSkills } from './import-plan.ts';

/** The problem with a new name; undefined while it is being checked. */
export interface NameError {
  message: string;
  /** A valid name derived from it. */
  proposal?: string;
}

/** Checks new names while the user types, by location of the skill. */
export function useNameErrors(
  skills: readonly SkillReport[],
  choices: Choices,
): ReadonlyMap<string, NameError | 'checking'> {
  const { t } = useTranslation();
  const { say } = useSkillTexts();
  const taken = selectedSkills(skills, choices);
  const firstOf = new Map(
    taken.map((skill, position) => [finalName(skill, choices), position] as const).reverse(),
  );
  const isRenamed = (skill: SkillReport) => getChoice(skill, choices).action === 'rename';
  const wanted = new Set(taken.filter(isRenamed).map((skill) => finalName(skill, choices)));
  const [settled] = useDebouncedValue([...wanted].join('\n'), 250);
  const asked = settled.split('\n').filter((name) => name !== '');
  const positions = new Map(asked.map((name, position) => [name, position]));
  const answers = useQueries({
    queries: asked.map((name) => query(adminSkillsApi.checkName, { query: { name } })),
  });

  function faultOf(skill: SkillReport, position: number): NameError | 'checking' | undefined {
    const name = finalName(skill, choices);
    if (name !== '' && (firstOf.get(name) ?? position) < position) {
      return { message: t('skillImport.nameTwice') };
    }
    if (!isRenamed(skill)) {
      return undefined;
    }
    return name === '' ? { message: t('skillImport.nameMissing') } : faultOfNew(name);
  }

  function faultOfNew(name: string): NameError | 'checking' | undefined {
    const answer = answers[positions.get(name) ?? -1];
    if (answer?.error) {
      // The server checks again at the installation.
      return undefined;
    }
    if (!answer?.data) {
      return 'checking';
    }
    const { free, valid, name: proposal } = answer.data;
    if (!valid) {
      const illegal = { message: t('skillImport.nameIllegal') };
      return free ? { ...illegal, proposal } : illegal;
    }
    return free
      ? undefined
      : { message: say({ message: t('skillImport.nameIllegal'), ...answer.data }) };
  }

  const faults = taken.map((skill, position) => [skill.folder, faultOf(skill, position)] as const);
  return new Map(faults.flatMap(([folder, fault]) => (fault ? [[folder, fault]] : [])));
}
