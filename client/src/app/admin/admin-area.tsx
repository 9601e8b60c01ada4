import type { Me } from '@knowhow/shared/auth';
import './mantine-admin.css';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Navigate, Route, Routes } from 'react-router';
import { addAdminTexts } from '../../i18n/add-admin-texts.ts';
import { NotFoundPage } from '../not-found-page.tsx';
import { AdminShell } from './admin-shell.tsx';
import { AppPage } from './app-page.tsx';
import { AppsPage } from './apps-page.tsx';
import { AuditPage } from './audit-page.tsx';
import { BackupPage } from './backup-page.tsx';
import { GroupPage } from './group-page.tsx';
import { GroupsPage } from './groups-page.tsx';
import { ModelPage } from './model-page.tsx';
import { ModelsPage } from './models-page.tsx';
import { NewSkillPage } from './new-skill-page.tsx';
import { PromptPage } from './prompt-page.tsx';
import { PromptsPage } from './prompts-page.tsx';
import { SkillPage } from './skill-page.tsx';
import { SkillsPage } from './skills-page.tsx';
import { UsersPage } from './users-page.tsx';

/** Everything below `/admin`: loaded only by those who may use it. */
export function AdminArea({ me }: { me: Me }) {
  const { i18n } = useTranslation();
  useState(() => addAdminTexts(i18n));
  return (
    <Routes>
      <Route element={<AdminShell me={me} />}>
        <Route index element={<Navigate to="skills" replace />} />
        <Route path="skills" element={<SkillsPage />} />
        <Route path="skills/new" element={<NewSkillPage />} />
        <Route path="skills/:name/*" element={<SkillPage />} />
        <Route path="apps" element={<AppsPage />} />
        <Route path="apps/:id" element={<AppPage />} />
        <Route path="groups" element={<GroupsPage />} />
        <Route path="groups/:id" element={<GroupPage />} />
        <Route path="models" element={<ModelsPage />} />
        <Route path="models/:id" element={<ModelPage />} />
        <Route path="prompts" element={<PromptsPage />} />
        <Route path="prompts/:id" element={<PromptPage />} />
        <Route path="users" element={<UsersPage />} />
        <Route path="backup" element={<BackupPage />} />
        <Route path="audit" element={<AuditPage />} />
        <Route path="*" element={<NotFoundPage />} />
      </Route>
    </Routes>
  );
}
