import type { Me } from '@knowhow/shared/access/auth';
import './mantine-admin.css';
import type { ComponentType, ReactElement } from 'react';
import { Navigate, Route, Routes, useParams } from 'react-router';
import { AdminAnalytics } from '../../features/admin-analytics/admin-analytics.tsx';
import { AdminBackup } from '../../features/admin-backup/admin-backup.tsx';
import { AppItem } from '../../features/admin-config/apps/app-item.tsx';
import { AppList } from '../../features/admin-config/apps/app-list.tsx';
import { GroupItem } from '../../features/admin-config/groups/group-item.tsx';
import { GroupList } from '../../features/admin-config/groups/group-list.tsx';
import { ModelItem } from '../../features/admin-config/models/model-item.tsx';
import { ModelList } from '../../features/admin-config/models/model-list.tsx';
import { PromptItem } from '../../features/admin-config/prompts/prompt-item.tsx';
import { PromptList } from '../../features/admin-config/prompts/prompt-list.tsx';
import { SettingsPage } from '../../features/admin-config/settings/settings-page.tsx';
import { KeyList } from '../../features/admin-keys/key-list.tsx';
import { PluginList } from '../../features/admin-plugins/plugin-list.tsx';
import { AdminSignIn } from '../../features/admin-sign-in/admin-sign-in.tsx';
import { ToolList } from '../../features/admin-tools/tool-list.tsx';
import { ToolPage } from '../../features/admin-tools/tool-page.tsx';
import { UsageList } from '../../features/admin-usage/usage-list.tsx';
import { AuditList } from '../../features/admin-users/audit-list.tsx';
import { UserList } from '../../features/admin-users/user-list.tsx';
import { RightsContext } from '../../ui/rights.ts';
import type { AdminPage } from '../admin-pages.ts';
import { NotFoundPage } from '../not-found-page.tsx';
import { permittedAdminPages } from '../permitted-admin-pages.ts';
import { AdminShell } from './admin-shell.tsx';
import { NewSkillPage } from './new-skill-page.tsx';
import { SkillPage } from './skill-page.tsx';
import { SkillsPage } from './skills-page.tsx';

/** Everything below `/admin`. Loaded only for users with admin permissions. */
export function AdminArea({ me }: { me: Me }) {
  const pages = permittedAdminPages(me);
  return (
    <RightsContext value={me.adminRights ?? []}>
      <Routes>
        <Route element={<AdminShell me={me} />}>
          {pages[0] && <Route index element={<Navigate to={pages[0].path} replace />} />}
          {pages.map(({ path }) => (
            <Route key={path} path={path.replace('/admin/', '')}>
              {Object.entries<ReactElement>(elements[path]).map(([below, element]) => (
                <Route key={below} path={below} element={element} />
              ))}
            </Route>
          ))}
          <Route path="*" element={<NotFoundPage />} />
        </Route>
      </Routes>
    </RightsContext>
  );
}

/** The component of each page, and its nested routes. */
const elements: Record<AdminPage['path'], Record<string, ReactElement>> = {
  '/admin/skills': {
    '': <SkillsPage />,
    new: <NewSkillPage />,
    ':name/*': <SkillPage />,
  },
  '/admin/tools': { '': <ToolList />, ':id': <ById Item={ToolPage} /> },
  '/admin/plugins': { '': <PluginList /> },
  '/admin/apps': { '': <AppList />, ':id': <ById Item={AppItem} /> },
  '/admin/groups': { '': <GroupList />, ':id': <ById Item={GroupItem} /> },
  '/admin/users': { '': <UserList /> },
  '/admin/keys': { '': <KeyList /> },
  '/admin/sign-in': { '': <AdminSignIn /> },
  '/admin/models': { '': <ModelList />, ':id': <ById Item={ModelItem} /> },
  '/admin/prompts': { '': <PromptList />, ':id': <ById Item={PromptItem} /> },
  '/admin/backup': { '': <AdminBackup /> },
  '/admin/analytics': { '': <AdminAnalytics /> },
  '/admin/usage': { '': <UsageList /> },
  '/admin/settings': {
    '': <SettingsPage file="platform" />,
    skills: <SettingsPage file="skills" />,
  },
  '/admin/audit': { '': <AuditList /> },
};

function ById({ Item }: { Item: ComponentType<{ id: string }> }) {
  const { id = '' } = useParams();
  return <Item key={id} id={id} />;
}
