import type { SkillAccess } from '@knowhow/shared/skills/admin-skill';
import { useTranslation } from 'react-i18next';

type Cell = SkillAccess['cells'][number];

/** Returns the text of the rule that decided. */
export function useAccessRule(): (cell: Pick<Cell, 'rule' | 'via'>) => string {
  const { t } = useTranslation();
  return ({ rule, via }) =>
    via === undefined
      ? t(rules[rule])
      : t('skillPage.ruleVia', { rule: t(rules[rule]), group: via });
}

const rules = {
  broken: 'skillPage.rule.broken',
  shadowed: 'skillPage.rule.shadowed',
  blocked: 'skillPage.rule.blocked',
  off: 'skillPage.rule.off',
  'app-off': 'skillPage.rule.appOff',
  'app-not-granted': 'skillPage.rule.appNotGranted',
  'skill-not-granted': 'skillPage.rule.skillNotGranted',
  'not-in-app': 'skillPage.rule.notInApp',
  excluded: 'skillPage.rule.excluded',
  listed: 'skillPage.rule.listed',
  'all-listed': 'skillPage.rule.allListed',
  global: 'skillPage.rule.global',
} as const satisfies Record<Cell['rule'], string>;
