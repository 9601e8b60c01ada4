import { Problem } from '@knowhow/shared/problem';
import type { AdminSkillDetail } from '@knowhow/shared/skills/admin-skill';
import { Suspense, useState } from 'react';
import { Navigate, Route, Routes, useNavigate, useParams } from 'react-router';
import { SkillHistoryTab } from '../../features/admin-skill/history/skill-history-tab.tsx';
import { SkillMissing } from '../../features/admin-skill/overview/skill-missing.tsx';
import { SkillOverview } from '../../features/admin-skill/overview/skill-overview.tsx';
import { Rows } from '../../features/admin-skill/rows.tsx';
import { SkillAccessTab } from '../../features/admin-skill/skill-access-tab.tsx';
import { SkillFrame } from '../../features/admin-skill/skill-frame.tsx';
import { skillFilePath, skillPath } from '../../features/admin-skill/skill-path.ts';
import { SkillSkeleton } from '../../features/admin-skill/skill-skeleton.tsx';
import { useKeepSkill, useSkill } from '../../features/admin-skill/use-skill.ts';
import { LostDialog } from '../../ui/loading/chunk-load-error.tsx';
import { lazyPart } from '../../ui/loading/lazy-part.tsx';

const SkillFiles = lazyPart(
  async () => (await import('../../features/admin-skill-files/skill-files.tsx')).SkillFiles,
);

const TriggersTab = lazyPart(
  async () => (await import('../../features/admin-skill/triggers/triggers-tab.tsx')).TriggersTab,
);

const ImportDialog = lazyPart(
  async () => (await import('../../features/admin-import/import-dialog.tsx')).ImportDialog,
  LostDialog,
);

export function SkillPage() {
  const { name = '', '*': rest = '' } = useParams();
  const { data: skill, error, refetch } = useSkill(name);
  const isGone = error instanceof Problem && error.code === 'not-found';
  if (skill && skill.name !== name) {
    // The server also accepts other spellings of the skill's name.
    return <Navigate to={skillPath(skill.name, rest)} replace />;
  }
  if (skill && !isGone) {
    return <Tabs key={name} skill={skill} />;
  }
  return error ? (
    <SkillMissing name={name} error={error} onRetry={refetch} />
  ) : (
    <SkillSkeleton name={name} />
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
        <Route path="history" element={<SkillHistoryTab skill={skill} />} />
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
