import type { AdminSkillDetail } from '@knowhow/shared/skills/admin-skill';
import {
  type SkillFolderEdit,
  skillFolderEditsApi,
} from '@knowhow/shared/skills/skill-folder-edits';
import { Button } from '@mantine/core';
import { IconFolderExclamation } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { call } from '../../api/call.ts';
import { query } from '../../api/query.ts';
import { refreshSkills } from '../../api/refresh-skills.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { useSkillRight } from '../../ui/rights.ts';
import { usePublishing } from '../../ui/use-publishing.ts';
import classes from './skill-frame.module.css';
import { skillPath } from './skill-path.ts';

interface FolderEditProps {
  skill: Pick<AdminSkillDetail, 'name' | 'writable' | 'category'>;
  /** Called when the edit is discarded, and its note gone. */
  onDiscarded: () => void;
}

/** Says that the folder of a skill holds changes that are not published. */
export function FolderEditNote({ skill, onDiscarded }: FolderEditProps) {
  const { name, writable, category } = skill;
  const { reviewsFiles } = usePublishing(category);
  const mayWrite = useSkillRight('author', category);
  const isEnabled = reviewsFiles && writable && mayWrite;
  const state = useQuery({
    ...query(skillFolderEditsApi.get, { params: { name } }),
    enabled: isEnabled,
  });
  const edit = isEnabled ? state.data?.edit : undefined;
  return edit ? <Note name={name} edit={edit} onDiscarded={onDiscarded} /> : null;
}

interface NoteProps extends Pick<FolderEditProps, 'onDiscarded'> {
  name: string;
  edit: SkillFolderEdit;
}

function Note({ name, edit, onDiscarded }: NoteProps) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const [isAsking, setAsking] = useState(false);
  const isRemoved = edit.checksum === undefined;
  const discarding = useMutation({
    mutationFn: () =>
      call(
        skillFolderEditsApi.remove,
        { params: { name } },
        edit.checksum === undefined ? {} : { ifMatch: edit.checksum },
      ),
    onSuccess: async () => {
      setAsking(false);
      await refreshSkills(queryClient);
      onDiscarded();
    },
  });
  return (
    <section className={classes.readOnly} aria-label={t('folderEdit.title')}>
      <IconFolderExclamation size={18} aria-hidden />
      <p>{isRemoved ? t('folderEdit.removed') : `${t('folderEdit.changed')} ${t(next(edit))}`}</p>
      {edit.isDrafted && (
        <Button component={Link} to={skillPath(name, 'files')} variant="default" size="xs">
          {t('folderEdit.openDraft')}
        </Button>
      )}
      <Button variant="default" size="xs" onClick={() => setAsking(true)}>
        {isRemoved ? t('folderEdit.putBack') : t('folderEdit.discard')}
      </Button>
      <ConfirmDialog
        title={isRemoved ? t('folderEdit.putBackTitle') : t('folderEdit.discardTitle')}
        opened={isAsking}
        onClose={() => {
          discarding.reset();
          setAsking(false);
        }}
        onConfirm={discarding.mutate}
        confirmLabel={isRemoved ? t('folderEdit.putBack') : t('folderEdit.discard')}
        error={discarding.error}
        isBusy={discarding.isPending}
      >
        <p>{isRemoved ? t('folderEdit.putBackText') : t('folderEdit.discardText')}</p>
      </ConfirmDialog>
    </section>
  );
}

function next({ isDrafted }: SkillFolderEdit) {
  return isDrafted ? 'folderEdit.drafted' : 'folderEdit.waits';
}
