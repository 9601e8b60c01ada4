import type { Me } from '@knowhow/shared/access/auth';
import './mantine-admin.css';
import { Problem } from '@knowhow/shared/problem';
import type { AdminSkillDetail } from '@knowhow/shared/skills/admin-skill';
import { useQuery } from '@tanstack/react-query';
import type { ComponentType, ReactElement } from 'react';
import { Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Navigate, Route, Routes, useNavigate, useParams } from 'react-router';
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
import { MailPage } from '../../features/admin-config/settings/mail-page.tsx';
import { SettingsPage } from '../../features/admin-config/settings/settings-page.tsx';
import { KeyList } from '../../features/admin-keys/key-list.tsx';
import { PluginList } from '../../features/admin-plugins/plugin-list.tsx';
import { ReviewList } from '../../features/admin-reviews/review-list.tsx';
import { ReviewPage } from '../../features/admin-reviews/review-page.tsx';
import { AdminSignIn } from '../../features/admin-sign-in/admin-sign-in.tsx';
import { SkillMissing } from '../../features/admin-skill/overview/skill-missing.tsx';
import { SkillOverview } from '../../features/admin-skill/overview/skill-overview.tsx';
import { Rows } from '../../features/admin-skill/rows.tsx';
import { SkillAccessTab } from '../../features/admin-skill/skill-access-tab.tsx';
import { SkillFrame } from '../../features/admin-skill/skill-frame.tsx';
import { skillFilePath, skillPath } from '../../features/admin-skill/skill-path.ts';
import { SkillSkeleton } from '../../features/admin-skill/skill-skeleton.tsx';
import { useKeepSkill, useSkill } from '../../features/admin-skill/use-skill.ts';
import { SkillVersionsTab } from '../../features/admin-skill/versions/skill-versions-tab.tsx';
import { draftQuery } from '../../features/admin-skill-files/draft/use-skill-draft.ts';
import { SourceList } from '../../features/admin-sources/source-list.tsx';
import { SourcePage } from '../../features/admin-sources/source-page.tsx';
import { ToolList } from '../../features/admin-tools/tool-list.tsx';
import { ToolPage } from '../../features/admin-tools/tool-page.tsx';
import { UsageList } from '../../features/admin-usage/usage-list.tsx';
import { AuditList } from '../../features/admin-users/audit-list.tsx';
import { UserList } from '../../features/admin-users/user-list.tsx';
import { PageFrame } from '../../ui/layout/page-frame.tsx';
import { LostDialog } from '../../ui/loading/chunk-load-error.tsx';
import { lazyPart } from '../../ui/loading/lazy-part.tsx';
import { RightsContext } from '../../ui/rights.ts';
import type { AdminPage } from '../admin-pages.ts';
import { NotFoundPage } from '../not-found-page.tsx';
import { permittedAdminPages } from '../permitted-admin-pages.ts';
import { AdminShell } from './admin-shell.tsx';
import { SkillsPage } from './skills-page.tsx';

const SkillFiles = lazyPart(
  async () => (await import('../../features/admin-skill-files/skill-files.tsx')).SkillFiles,
);

const NewDraftFiles = lazyPart(
  async () => (await import('../../features/admin-skill-files/skill-files.tsx')).NewDraftFiles,
);

const TriggersTab = lazyPart(
  async () => (await import('../../features/admin-skill/triggers/triggers-tab.tsx')).TriggersTab,
);

const ImportDialog = lazyPart(
  async () => (await import('../../features/admin-import/import-dialog.tsx')).ImportDialog,
  LostDialog,
);

function SkillPage() {
  const { name = '', '*': rest = '' } = useParams();
  const { data: skill, error, refetch } = useSkill(name);
  const isGone = error instanceof Problem && error.code === 'not-found';
  const [gone, setGone] = useState<{ name: string; error: Problem }>();
  if (isGone && gone?.error !== error) {
    setGone({ name, error });
  }
  // A refetch clears the error: without it, the page would be replaced for a moment, and lose the focus.
  const shownError = error ?? (gone?.name === name ? gone.error : undefined);
  if (skill && skill.name !== name) {
    // The server also accepts other spellings of the skill's name.
    return <Navigate to={skillPath(skill.name, rest)} replace />;
  }
  if (skill && !isGone) {
    return <Tabs key={name} skill={skill} />;
  }
  if (shownError instanceof Problem && shownError.code === 'not-found') {
    return <NewDraftPage key={name} name={name} path={rest} error={shownError} onRetry={refetch} />;
  }
  return shownError ? (
    <SkillMissing name={name} error={shownError} onRetry={refetch} />
  ) : (
    <SkillSkeleton name={name} />
  );
}

interface NewDraftPageProps {
  name: string;
  /** The tab, with the open file. */
  path: string;
  error: Problem;
  onRetry: () => void;
}

/** A skill that is not published: its draft, if it has one. */
function NewDraftPage({ name, path, ...missing }: NewDraftPageProps) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const found = useQuery(draftQuery(name));
  if (found.isPending) {
    return <SkillSkeleton name={name} />;
  }
  if (!found.data) {
    return <SkillMissing name={name} {...missing} />;
  }
  const [, ...file] = path.split('/');
  return (
    <PageFrame title={name} back={{ to: '/admin/skills', label: t('skillPage.back') }}>
      <Suspense fallback={<Rows />}>
        <NewDraftFiles
          draft={found.data}
          path={file.join('/') || undefined}
          onOpen={(opened) => navigate(skillFilePath(name, opened))}
        />
      </Suspense>
    </PageFrame>
  );
}

function Tabs({ skill }: { skill: AdminSkillDetail }) {
  const [isImporting, setImporting] = useState(false);
  return (
    <SkillFrame skill={skill} onImport={() => setImporting(true)}>
      <Routes>
        <Route index element={<SkillOverview skill={skill} />} />
        <Route path="files/*" element={<FilesTab skill={skill} />} />
        <Route path="access" element={<SkillAccessTab skill={skill} />} />
        <Route
          path="triggers"
          element={
            <Suspense fallback={<Rows />}>
              <TriggersTab skill={skill} />
            </Suspense>
          }
        />
        <Route path="versions" element={<SkillVersionsTab skill={skill} />} />
        <Route path="*" element={<Navigate to={skillPath(skill.name)} replace />} />
      </Routes>
      <Suspense>
        <ImportDialog
          opened={isImporting}
          files={undefined}
          replaced={skill.name}
          onClose={() => setImporting(false)}
        />
      </Suspense>
    </SkillFrame>
  );
}

function FilesTab({ skill }: { skill: AdminSkillDetail }) {
  const { '*': path } = useParams();
  const navigate = useNavigate();
  const keepSkill = useKeepSkill();
  return (
    <Suspense fallback={<Rows />}>
      <SkillFiles
        skill={skill}
        path={path || undefined}
        onOpen={(opened) => navigate(skillFilePath(skill.name, opened))}
        onChanged={keepSkill}
      />
    </Suspense>
  );
}

const NewSkillForm = lazyPart(
  async () =>
    (await import('../../features/admin-skill-files/new-skill/new-skill-form.tsx')).NewSkillForm,
);

function NewSkillPage() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const keepSkill = useKeepSkill();
  return (
    <PageFrame
      title={t('newSkill.pageTitle')}
      back={{ to: '/admin/skills', label: t('newSkill.back') }}
      description={t('newSkill.pageText')}
    >
      <Suspense fallback={<Rows />}>
        <NewSkillForm
          onCreated={(skill) => {
            if (skill.published) {
              void keepSkill(skill.published);
            }
            void navigate(skillPath(skill.name));
          }}
        />
      </Suspense>
    </PageFrame>
  );
}

const AttentionPage = lazyPart(
  async () => (await import('../../features/attention/attention-page.tsx')).AttentionPage,
);

function AdminAttention() {
  const { t } = useTranslation();
  return (
    <Suspense fallback={<Rows />}>
      <AttentionPage back={{ to: '/admin/skills', label: t('skillPage.back') }} />
    </Suspense>
  );
}

const BinPage = lazyPart(
  async () => (await import('../../features/admin-skill-bin/bin-page.tsx')).BinPage,
);

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
    // No skill can have this name.
    '-/attention': <AdminAttention />,
    '-/bin': (
      <Suspense fallback={<Rows />}>
        <BinPage />
      </Suspense>
    ),
    ':name/*': <SkillPage />,
  },
  '/admin/reviews': { '': <ReviewList />, ':id': <ById Item={ReviewPage} /> },
  '/admin/tools': { '': <ToolList />, ':id': <ById Item={ToolPage} /> },
  '/admin/plugins': { '': <PluginList /> },
  '/admin/sources': { '': <SourceList />, ':id': <ById Item={SourcePage} /> },
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
    mail: <MailPage />,
  },
  '/admin/audit': { '': <AuditList /> },
};

function ById({ Item }: { Item: ComponentType<{ id: string }> }) {
  const { id = '' } = useParams();
  return <Item key={id} id={id} />;
}
