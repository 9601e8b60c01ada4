import { Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { skillPath } from '../../features/admin-skill/skill-path.ts';
import { useKeepSkill } from '../../features/admin-skill/use-skill.ts';
import { PageFrame } from '../../ui/layout/page-frame.tsx';
import { lazyPart } from '../../ui/loading/lazy-part.tsx';

const NewSkillForm = lazyPart(
  async () =>
    (await import('../../features/admin-skill-files/new-skill/new-skill-form.tsx')).NewSkillForm,
);

export function NewSkillPage() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const keepSkill = useKeepSkill();
  return (
    <PageFrame
      title={t('newSkill.pageTitle')}
      back={{ to: '/admin/skills', label: t('newSkill.back') }}
      description={t('newSkill.pageText')}
    >
      <Suspense>
        <NewSkillForm
          onCreated={(skill) => {
            void keepSkill(skill);
            void navigate(skillPath(skill.name));
          }}
        />
      </Suspense>
    </PageFrame>
  );
}
