import type { AdminSkillDetail } from '@knowhow/shared/skills/admin-skill';
import { adminSkillsApi } from '@knowhow/shared/skills/admin-skills';
import { Button } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { call } from '../../../api/call.ts';
import { refreshSkills } from '../../../api/refresh-skills.ts';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { Section } from '../../../ui/layout/section.tsx';
import { useRight, useSkillRight } from '../../../ui/rights.ts';
import { useFormat } from '../../../ui/text/use-format.ts';
import { useBinText } from '../../../ui/use-bin-text.ts';
import { useUndoToast } from '../../../ui/use-undo-toast.tsx';
import { skillQuery } from '../use-skill.ts';
import { useRestore } from '../versions/use-restore.ts';
import { WriteError } from '../write-error.tsx';
import { BlockSkill, GroupsOf } from './block-skill.tsx';
import classes from './danger-zone.module.css';

/** Blocks or deletes the skill, as the user may. */
export function DangerZone({ skill }: { skill: AdminSkillDetail }) {
  const { t } = useTranslation();
  const mayBlock = useSkillRight('block', skill.category);
  const mayDelete = useRight('skills') && skill.writable;
  return (
    (mayBlock || mayDelete) && (
      <Section title={t('skillPage.dangerZone')}>
        {mayBlock && <BlockSkill skill={skill} />}
        {mayDelete && <DeleteSkill skill={skill} />}
      </Section>
    )
  );
}

/** Deletes the skill after naming what will be lost. */
function DeleteSkill({ skill }: { skill: AdminSkillDetail }) {
  const { t } = useTranslation();
  const [isAsking, setAsking] = useState(false);
  const remove = useDelete(skill);

  function close() {
    setAsking(false);
    remove.reset();
  }

  return (
    <>
      <div className={classes.zone}>
        <p>{t('skillPage.deleteText')}</p>
        <Button
          variant="default"
          className={classes.delete}
          leftSection={<IconTrash size={16} aria-hidden />}
          onClick={() => setAsking(true)}
        >
          {t('skillPage.delete')}
        </Button>
      </div>
      <ConfirmDialog
        title={t('skillPage.deleteTitle', { name: skill.displayName })}
        opened={isAsking}
        onClose={close}
        onConfirm={() => remove.mutate()}
        confirmLabel={t('skillPage.delete')}
        typed={skill.name}
        isBusy={remove.isPending}
      >
        <Losses skill={skill} />
        {remove.error && <WriteError error={remove.error} onReloaded={remove.reset} />}
      </ConfirmDialog>
    </>
  );
}

function Losses({ skill }: { skill: AdminSkillDetail }) {
  const { t, i18n } = useTranslation();
  const { bytes } = useFormat();
  const binText = useBinText();
  const { apps, files, fileList, hides } = skill;
  const list = new Intl.ListFormat(i18n.language);
  return (
    <>
      <p>{t('skillPage.losses', { name: skill.name })}</p>
      <ul>
        <li>
          {t('skillPage.lostFiles', { count: files, size: bytes(skill.bytes) })}{' '}
          <span className={classes.paths}>{joinPaths(fileList)}</span>
        </li>
        <li>
          {apps.length > 0
            ? t('skillPage.lostApps', { apps: list.format(apps) })
            : t('skillPage.noApps')}
        </li>
        <GroupsOf skill={skill} />
        {hides[0] && <li>{t('skillPage.takesItsPlace', { location: hides[0].location })}</li>}
      </ul>
      <p>{binText}</p>
    </>
  );
}

const shownPaths = 5;

function joinPaths(files: AdminSkillDetail['fileList']): string {
  const paths = files.slice(0, shownPaths).map(({ path }) => path);
  return [...paths, ...(files.length > shownPaths ? ['…'] : [])].join(', ');
}

/** Deletes a skill and returns to the list, with undo in a toast. */
function useDelete({ name, displayName, checksum }: AdminSkillDetail) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const showUndo = useUndoToast();
  const restore = useRestore(name);
  const binText = useBinText();
  return useMutation({
    mutationFn: () => call(adminSkillsApi.remove, { params: { name } }, { ifMatch: checksum }),
    onSuccess: ({ restorable }) => {
      void navigate('/admin/skills');
      queryClient.removeQueries(skillQuery(name));
      void refreshSkills(queryClient);
      showUndo({
        message: `${t('skillPage.deleted', { name: displayName })} ${binText}`,
        undo: () => restore({ number: restorable }),
      });
    },
  });
}
