import { maxSkillFile } from '@knowhow/shared/skills/admin-skill-files';
import { Button, FileButton, SegmentedControl, TextInput } from '@mantine/core';
import { IconTrash, IconUpload } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../../../ui/icon-button.tsx';
import { useFormat } from '../../../ui/text/use-format.ts';
import { droppedPath, useFileDrop } from '../tree/use-file-drop.ts';
import { validatePath } from '../tree/validate-path.ts';
import type { FileAtPath } from '../use-file-actions.ts';
import classes from './new-skill-form.module.css';

interface FilesFieldProps {
  withFiles: boolean;
  files: readonly FileAtPath[];
  onWithFiles: (withFiles: boolean) => void;
  onFiles: (files: readonly FileAtPath[]) => void;
}

/** Whether a skill has files in addition to `SKILL.md`, and the initial ones. */
export function FilesField({ withFiles, files, onWithFiles, onFiles }: FilesFieldProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const drop = useFileDrop((dropped) => add(dropped));

  function add(chosen: readonly File[]) {
    onFiles([...files, ...chosen.map((file) => ({ path: suggestPath(file), file }))]);
  }

  function wordsFor(fault: ReturnType<typeof validateFile>): string | undefined {
    return fault && t(fault, { most: format.bytes(maxSkillFile) });
  }

  function change(index: number, path: string) {
    onFiles(files.map((entry, other) => (other === index ? { ...entry, path } : entry)));
  }

  return (
    <section aria-labelledby="new-skill-files">
      <h2 id="new-skill-files">{t('skillFiles.files')}</h2>
      <p className={classes.about}>{t('newSkill.filesHint')}</p>
      <SegmentedControl
        aria-labelledby="new-skill-files"
        classNames={{ label: classes.choice }}
        size="xs"
        data={[
          { value: 'simple', label: t('newSkill.simple') },
          { value: 'files', label: t('newSkill.withFiles') },
        ]}
        value={withFiles ? 'files' : 'simple'}
        onChange={(value) => onWithFiles(value === 'files')}
      />
      {withFiles && (
        <div className={classes.drop} data-over={drop.isOver || undefined} {...drop.handlers}>
          {files.map(({ path, file }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: its path is being typed
            <div key={index} className={classes.file}>
              <TextInput
                classNames={{ input: classes.mono }}
                aria-label={t('skillFiles.path.label')}
                spellCheck={false}
                value={path}
                onChange={(event) => change(index, event.currentTarget.value)}
                error={wordsFor(validateFile(files, index))}
              />
              <span className={classes.quiet}>{format.bytes(file.size)}</span>
              <IconButton
                label={t('newSkill.removeFile', { path })}
                icon={<IconTrash size={16} />}
                onClick={() => onFiles(files.filter((_, other) => other !== index))}
              />
            </div>
          ))}
          <div className={classes.choose}>
            <FileButton multiple onChange={add}>
              {(props) => (
                <Button
                  variant="default"
                  size="xs"
                  leftSection={<IconUpload size={16} aria-hidden />}
                  {...props}
                >
                  {t('newSkill.chooseFiles')}
                </Button>
              )}
            </FileButton>
            <span className={classes.quiet}>{t('newSkill.filesLater')}</span>
          </div>
        </div>
      )}
    </section>
  );
}

/** Why a file cannot be added next to the others and `SKILL.md`. */
export function validateFile(files: readonly FileAtPath[], index: number) {
  const { path = '', file } = files[index] ?? {};
  if (file && file.size > maxSkillFile) {
    return 'newSkill.tooLarge';
  }
  const others = files.filter((_, other) => other !== index);
  return validatePath(path.trim(), [{ path: 'SKILL.md' }, ...others]);
}

/** Text files go to references, all others to assets; files from a folder stay in it. */
function suggestPath(file: File): string {
  const path = droppedPath(file);
  if (path.includes('/')) {
    return path;
  }
  return `${/\.(md|txt|csv|json|ya?ml)$/i.test(path) ? 'references' : 'assets'}/${path}`;
}
