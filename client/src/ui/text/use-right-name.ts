import { type AdminRight, everyRight, type SkillRight } from '@knowhow/shared/access/admin-rights';
import { useTranslation } from 'react-i18next';

/** The label of an admin permission, or of all; an unknown one is returned unchanged. */
export function useRightName(): (right: string) => string {
  const { t } = useTranslation();
  const names: Record<string, (typeof rightNames)[keyof typeof rightNames]> = rightNames;
  return (right) => {
    const [, kind, scope] = /^skill-(author|publish|block):(.+)$/s.exec(right) ?? [];
    if (scope !== undefined) {
      const label = t(skillRightNames[kind as SkillRight]);
      return scope === everyRight
        ? label
        : t('adminConfig.skillRight.of', { right: label, category: scope });
    }
    const name = names[right];
    return right === everyRight ? right : name ? t(name) : right;
  };
}

/** Labels of the admin permissions. */
export const rightNames = {
  skills: 'adminConfig.right.skills',
  publish: 'adminConfig.right.publish',
  tools: 'adminConfig.right.tools',
  apps: 'adminConfig.right.apps',
  groups: 'adminConfig.right.groups',
  users: 'adminConfig.right.users',
  keys: 'adminConfig.right.keys',
  'sign-in': 'adminConfig.right.signIn',
  models: 'adminConfig.right.models',
  prompts: 'adminConfig.right.prompts',
  settings: 'adminConfig.right.settings',
  backups: 'adminConfig.right.backups',
  analytics: 'adminConfig.right.analytics',
  traces: 'adminConfig.right.traces',
  audit: 'adminConfig.right.audit',
} as const satisfies Record<AdminRight, string>;

/** Labels of the rights on skills of some categories. */
export const skillRightNames = {
  author: 'adminConfig.skillRight.author',
  publish: 'adminConfig.skillRight.publish',
  block: 'adminConfig.skillRight.block',
} as const satisfies Record<SkillRight, string>;
