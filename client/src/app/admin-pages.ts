import {
  IconArchive,
  IconBlockquote,
  IconBoltFilled,
  IconBrandGit,
  IconChartBar,
  IconChecklist,
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
 * permissions of which one is required. `admin/admin-area` renders the pages.
 */
export const adminPages = [
  {
    path: '/admin/skills',
    rights: ['skills', 'skill-author', 'skill-publish', 'skill-block'],
    label: 'adminPages.skills',
    Icon: IconBoltFilled,
  },
  {
    path: '/admin/reviews',
    rights: ['skills', 'publish', 'skill-author', 'skill-publish'],
    label: 'adminPages.reviews',
    Icon: IconChecklist,
  },
  { path: '/admin/tools', rights: ['tools'], label: 'adminPages.tools', Icon: IconTool },
  { path: '/admin/plugins', rights: ['skills'], label: 'adminPages.plugins', Icon: IconPuzzle },
  { path: '/admin/sources', rights: ['skills'], label: 'adminPages.sources', Icon: IconBrandGit },
  { path: '/admin/apps', rights: ['apps'], label: 'adminPages.apps', Icon: IconLayoutGrid },
  { path: '/admin/groups', rights: ['groups'], label: 'adminPages.groups', Icon: IconUsers },
  { path: '/admin/users', rights: ['users'], label: 'adminPages.users', Icon: IconUser },
  { path: '/admin/keys', rights: ['keys'], label: 'adminPages.keys', Icon: IconKey },
  { path: '/admin/sign-in', rights: ['sign-in'], label: 'adminPages.signIn', Icon: IconLogin2 },
  { path: '/admin/models', rights: ['models'], label: 'adminPages.models', Icon: IconCpu },
  {
    path: '/admin/prompts',
    rights: ['prompts'],
    label: 'adminPages.prompts',
    Icon: IconBlockquote,
  },
  { path: '/admin/backup', rights: ['backups'], label: 'adminPages.backup', Icon: IconArchive },
  {
    path: '/admin/analytics',
    rights: ['analytics'],
    label: 'adminPages.analytics',
    Icon: IconChartBar,
  },
  { path: '/admin/usage', rights: ['analytics'], label: 'adminPages.usage', Icon: IconGauge },
  {
    path: '/admin/settings',
    rights: ['settings'],
    label: 'adminPages.settings',
    Icon: IconSettings,
  },
  { path: '/admin/audit', rights: ['audit'], label: 'adminPages.audit', Icon: IconHistory },
] as const;

export type AdminPage = (typeof adminPages)[number];
