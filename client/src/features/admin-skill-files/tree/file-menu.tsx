import type { AdminSkillDetail, AdminSkillFile } from '@knowhow/shared/skills/admin-skill';
import { Menu } from '@mantine/core';
import {
  IconArrowBackUp,
  IconDots,
  IconDownload,
  IconPencil,
  IconTrash,
} from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../../../ui/icon-button.tsx';
import { useUndoToast } from '../../../ui/use-undo-toast.tsx';
import type { FileTask } from '../file-task.ts';
import { skillFileUrl } from '../saved-file.tsx';
import type { FileDrafts } from '../use-drafts.ts';
import classes from './file-menu.module.css';
import { isSkillFile } from './file-rows.ts';

interface FileMenuProps {
  skill: AdminSkillDetail;
  file: AdminSkillFile;
  drafts: FileDrafts;
  onTask: (task: FileTask) => void;
}

/** Actions for the open file. `SKILL.md` cannot be renamed or moved. */
export function FileMenu({ skill, file: { path }, drafts, onTask }: FileMenuProps) {
  const { t } = useTranslation();
  const showUndo = useUndoToast();
  const draft = drafts.all[path];
  const isMovable = skill.writable && !isSkillFile(path);

  function discard() {
    if (draft) {
      drafts.discard(path);
      showUndo({
        message: t('skillFiles.discarded', { path }),
        undo: () => drafts.put(path, draft),
      });
    }
  }

  return (
    <Menu position="bottom-end" width={220}>
      <Menu.Target>
        <IconButton
          label={t('skillFiles.actions', { path })}
          icon={<IconDots size={18} />}
          aria-haspopup="menu"
        />
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item
          component="a"
          href={skillFileUrl(skill, path)}
          download={path.split('/').at(-1)}
          leftSection={<IconDownload size={16} />}
        >
          {t('skillFiles.download')}
        </Menu.Item>
        {draft && (
          <Menu.Item leftSection={<IconArrowBackUp size={16} />} onClick={discard}>
            {t('skillFiles.discard')}
          </Menu.Item>
        )}
        {isMovable && (
          <>
            <Menu.Item
              leftSection={<IconPencil size={16} />}
              onClick={() => onTask({ kind: 'move', path })}
            >
              {t('skillFiles.move')}
            </Menu.Item>
            <Menu.Item
              className={classes.delete}
              leftSection={<IconTrash size={16} />}
              onClick={() => onTask({ kind: 'delete', path })}
            >
              {t('skillFiles.delete')}
            </Menu.Item>
          </>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}
