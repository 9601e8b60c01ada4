import {
  IconArchive,
  IconBlockquote,
  IconBoltFilled,
  IconChartBar,
  IconCpu,
  IconGauge,
  IconHistory,
  IconKey,
  IconLayoutGrid,
  IconLogin2,
  IconPuzzle,
  IconTool,
  IconUser,
  IconUsers,
} from '@tabler/icons-react';

/**
 * The pages an admin goes to by name, in the order of the navigation. Their routes and the commands
 * follow from it; what they show is in `admin/admin-area`.
 */
export const adminPages = [
  { path: '/admin/skills', label: 'adminPages.skills', Icon: IconBoltFilled },
  { path: '/admin/tools', label: 'adminPages.tools', Icon: IconTool },
  { path: '/admin/plugins', label: 'adminPages.plugins', Icon: IconPuzzle },
  { path: '/admin/apps', label: 'adminPages.apps', Icon: IconLayoutGrid },
  { path: '/admin/groups', label: 'adminPages.groups', Icon: IconUsers },
  { path: '/admin/users', label: 'adminPages.users', Icon: IconUser },
  { path: '/admin/keys', label: 'adminPages.keys', Icon: IconKey },
  { path: '/admin/sign-in', label: 'adminPages.signIn', Icon: IconLogin2 },
  { path: '/admin/models', label: 'adminPages.models', Icon: IconCpu },
  { path: '/admin/prompts', label: 'adminPages.prompts', Icon: IconBlockquote },
  { path: '/admin/backup', label: 'adminPages.backup', Icon: IconArchive },
  { path: '/admin/analytics', label: 'adminPages.analytics', Icon: IconChartBar },
  { path: '/admin/usage', label: 'adminPages.usage', Icon: IconGauge },
  { path: '/admin/audit', label: 'adminPages.audit', Icon: IconHistory },
] as const;

export type AdminPage = (typeof adminPages)[number];
