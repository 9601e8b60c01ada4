import type { AdminRight } from '@knowhow/shared/access/admin-rights';

/** Labels of the admin permissions. */
export const rightNames = {
  skills: 'adminConfig.right.skills',
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
