import { Button } from '@mantine/core';
import { IconFileImport, IconPlus } from '@tabler/icons-react';
import { Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { BinLink } from '../../features/admin-skill-bin/bin-link.tsx';
import { NewDrafts } from '../../features/admin-skill-list/new-drafts.tsx';
import { SkillList } from '../../features/admin-skill-list/skill-list.tsx';
import { AttentionLink } from '../../features/attention/attention-link.tsx';
import { FileDrop } from '../../ui/files/file-drop.tsx';
import type { SelectedFile } from '../../ui/files/selected-files.ts';
import { PageFrame } from '../../ui/layout/page-frame.tsx';
import { LostDialog } from '../../ui/loading/chunk-load-error.tsx';
import { lazyPart } from '../../ui/loading/lazy-part.tsx';
import { useRight } from '../../ui/rights.ts';
import { usePublishing } from '../../ui/use-publishing.ts';
import classes from './skills-page.module.css';

const ImportDialog = lazyPart(
  async () => (await import('../../features/admin-import/import-dialog.tsx')).ImportDialog,
  LostDialog,
);

/** The skill list, with ways to add skills: create one, or drop an archive anywhere. */
export function SkillsPage() {
  const { t } = useTranslation();
  const [isImporting, setImporting] = useState(false);
  const { mayPublishAny: mayPublish } = usePublishing();
  const isManager = useRight('skills');
  const mayWrite = useRight('skills', 'skill-author');
  const [files, setFiles] = useState<SelectedFile[]>();

  function startImport(dropped?: SelectedFile[]) {
    setFiles(dropped);
    setImporting(true);
  }

  const actions = (
    <>
      {mayPublish && (
        <Button
          variant="default"
          leftSection={<IconFileImport size={17} aria-hidden />}
          onClick={() => startImport()}
        >
          {t('skillList.import')}
        </Button>
      )}
      {mayWrite && (
        <Button
          component={Link}
          to="/admin/skills/new"
          leftSection={<IconPlus size={17} aria-hidden />}
        >
          {t('skillList.new')}
        </Button>
      )}
    </>
  );
  return (
    <PageFrame
      title={t('adminPages.skills')}
      description={
        mayPublish ? undefined : t(isManager ? 'skillList.needsReview' : 'skillList.ofCategories')
      }
      actions={actions}
    >
      {mayWrite && <NewDrafts />}
      {isManager && (
        <div className={classes.links}>
          <AttentionLink to="/admin/skills/-/attention" />
          <BinLink />
        </div>
      )}
      <SkillList>{actions}</SkillList>
      {mayPublish && (
        <FileDrop
          title={t('skillImport.dropTitle')}
          text={t('skillImport.dropText')}
          onFiles={startImport}
        />
      )}
      <Suspense>
        <ImportDialog opened={isImporting} files={files} onClose={() => setImporting(false)} />
      </Suspense>
    </PageFrame>
  );
}
