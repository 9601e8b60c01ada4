import type { AdminSkillDetail } from '@knowhow/shared/skills/admin-skill';
import { Button } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { Section } from '../../../ui/layout/section.tsx';
import { useFormat } from '../../../ui/text/use-format.ts';
import { WriteError } from '../write-error.tsx';
import { BlockSkill } from './block-skill.tsx';
import classes from './danger-zone.module.css';
import { useDelete } from './use-delete.ts';

/** Deletes the skill after naming what will be lost. */
export function DangerZone({ skill }: { skill: AdminSkillDetail }) {
  const { t } = useTranslation();
  const [isAsking, setAsking] = useState(false);
  const remove = useDelete(skill);

  function close() {
    setAsking(false);
    remove.reset();
  }

  return (
    <Section title={t('skillPage.dangerZone')}>
      <BlockSkill skill={skill} />
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
    </Section>
  );
}

function Losses({ skill }: { skill: AdminSkillDetail }) {
  const { t, i18n } = useTranslation();
  const { bytes } = useFormat();
  const { apps, groups, files, fileList, hides } = skill;
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
        <li>
          {groups.length > 0
            ? t('skillPage.lostGroups', { groups: list.format(groups) })
            : t('skillPage.noGroups')}
        </li>
        {hides[0] && <li>{t('skillPage.takesItsPlace', { location: hides[0].location })}</li>}
      </ul>
      <p>{t('skillPage.deleteUndo')}</p>
    </>
  );
}

const shownPaths = 5;

function joinPaths(files: AdminSkillDetail['fileList']): string {
  const paths = files.slice(0, shownPaths).map(({ path }) => path);
  return [...paths, ...(files.length > shownPaths ? ['…'] : [])].join(', ');
}
