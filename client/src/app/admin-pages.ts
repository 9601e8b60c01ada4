import {
  IconArchive,
  IconBlockquote,
  IconBoltFilled,
  IconBrandGit,
  IconChartBar,
  IconCpu,
  IconGauge,
  IconHistory,
  IconKey,
  IconLayoutGrid,
  IconLogin2,
  IconPuzzle,
  IconSettings,
  IconTool,
  IconUser,
  IconUsers,
} from '@tabler/icons-react';

/**
 * The admin pages in the order of the navigation. Routes and commands are derived from this list, including the
 * permissions they require. `admin/admin-area` renders the pages.
 */
export const adminPages = [
  { path: '/admin/skills', right: 'skills', label: 'adminPages.skills', Icon: IconBoltFilled },
  { path: '/admin/tools', right: 'tools', label: 'adminPages.tools', Icon: IconTool },
  { path: '/admin/plugins', right: 'skills', label: 'adminPages.plugins', Icon: IconPuzzle },
  { path: '/admin/sources', right: 'skills', label: 'adminPages.sources', Icon: IconBrandGit },
  { path: '/admin/apps', right: 'apps', label: 'adminPages.apps', Icon: IconLayoutGrid },
  { path: '/admin/groups', right: 'groups', label: 'adminPages.groups', Icon: IconUsers },
  { path: '/admin/users', right: 'users', label: 'adminPages.users', Icon: IconUser },
  { path: '/admin/keys', right: 'keys', label: 'adminPages.keys', Icon: IconKey },
  { path: '/admin/sign-in', right: 'sign-in', label: 'adminPages.signIn', Icon: IconLogin2 },
  { path: '/admin/models', right: 'models', label: 'adminPages.models', Icon: IconCpu },
  { path: '/admin/prompts', right: 'prompts', label: 'adminPages.prompts', Icon: IconBlockquote },
  { path: '/admin/backup', right: 'backups', label: 'adminPages.backup', Icon: IconArchive },
  {
    path: '/admin/analytics',
    right: 'analytics',
    label: 'adminPages.analytics',
    Icon: IconChartBar,
  },
  { path: '/admin/usage', right: 'analytics', label: 'adminPages.usage', Icon: IconGauge },
  {
    path: '/admin/settings',
    right: 'settings',
    label: 'adminPages.settings',
    Icon: IconSettings,
  },
  { path: '/admin/audit', right: 'audit', label: 'adminPages.audit', Icon: IconHistory },
] as const;

export type AdminPage = (typeof adminPages)[number];
