import type { AdminSkillFile } from '@knowhow/shared/skills/admin-skill';
import { FileButton, UnstyledButton } from '@mantine/core';
import { IconChevronDown, IconFilePlus, IconUpload } from '@tabler/icons-react';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../../../ui/icon-button.tsx';
import type { EditedSkill } from '../draft/edited-skill.ts';
import type { FileTask } from '../file-task.ts';
import { folderOf } from './file-rows.ts';
import classes from './file-sidebar.module.css';
import { FileTree } from './file-tree.tsx';
import { useFileDrop } from './use-file-drop.ts';

interface FileSidebarProps {
  skill: Pick<EditedSkill, 'writable'>;
  files: readonly AdminSkillFile[];
  open: string;
  unsaved: readonly string[];
  onOpen: (path: string) => void;
  onTask: (task: FileTask) => void;
}

/** The file tree, with buttons to add files. On a narrow screen it expands above the open file. */
export function FileSidebar({ skill, files, open, unsaved, onOpen, onTask }: FileSidebarProps) {
  const { t } = useTranslation();
  const id = useId();
  const [isUnfolded, setUnfolded] = useState(false);
  const drop = useFileDrop((dropped, folder) => onTask({ kind: 'upload', folder, files: dropped }));
  const folder = folderOf(open);

  return (
    <aside
      className={classes.sidebar}
      aria-label={t('skillFiles.files')}
      data-unfolded={isUnfolded || undefined}
      data-dropping={drop.isOver || undefined}
      {...(skill.writable ? drop.handlers : {})}
    >
      <div className={classes.head}>
        <UnstyledButton
          className={classes.unfold}
          aria-expanded={isUnfolded}
          aria-controls={id}
          onClick={() => setUnfolded(!isUnfolded)}
        >
          <IconChevronDown size={16} aria-hidden />
          {t('skillFiles.count', { count: files.length })}
        </UnstyledButton>
        <h2>{t('skillFiles.count', { count: files.length })}</h2>
        {skill.writable && (
          <>
            <IconButton
              label={t('skillFiles.add')}
              icon={<IconFilePlus size={18} />}
              onClick={() => onTask({ kind: 'add', folder })}
            />
            <FileButton
              multiple
              onChange={(chosen) => {
                if (chosen.length > 0) {
                  onTask({ kind: 'upload', folder, files: chosen });
                }
              }}
            >
              {(props) => (
                <IconButton
                  label={t('skillFiles.upload')}
                  icon={<IconUpload size={18} />}
                  {...props}
                />
              )}
            </FileButton>
          </>
        )}
      </div>
      <div id={id} className={classes.tree}>
        <FileTree
          files={files}
          open={open}
          unsaved={unsaved}
          onOpen={(path) => {
            setUnfolded(false);
            onOpen(path);
          }}
        />
        {skill.writable && <p className={classes.hint}>{t('skillFiles.dropHint')}</p>}
      </div>
    </aside>
  );
}
