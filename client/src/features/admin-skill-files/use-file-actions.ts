import type { AdminSkillDetail } from '@knowhow/shared/skills/admin-skill';
import { adminSkillFilesApi } from '@knowhow/shared/skills/admin-skill-files';
import { useTranslation } from 'react-i18next';
import { call } from '../../api/call.ts';
import { useUndoToast } from '../../ui/use-undo-toast.tsx';
import { restoreSkill } from './restore-skill.ts';
import { isChangedMeanwhile } from './save-drafts.ts';
import { readSkill, writeFile } from './skill-server.ts';
import type { FileDrafts } from './use-drafts.ts';

interface FileActionsOptions {
  skill: AdminSkillDetail;
  drafts: FileDrafts;
  onChanged: (skill: AdminSkillDetail) => void;
}

/** A file and its target path. */
export interface FileAtPath {
  path: string;
  file: Blob;
}

export type FileActions = ReturnType<typeof useFileActions>;

/** Actions on whole files. Each throws a `Problem` and then changes nothing more. */
export function useFileActions({ skill, drafts, onChanged }: FileActionsOptions) {
  const { t } = useTranslation();
  const showUndo = useUndoToast();
  const { name } = skill;

  /**
   * Runs one write, then `settle` for the drafts that it affected. If the write is rejected because the skill
   * has changed, shows the current version.
   */
  async function write(from: string, run: () => Promise<AdminSkillDetail>, settle?: () => void) {
    try {
      const changed = await run();
      settle?.();
      drafts.moveOn(from, changed.checksum);
      onChanged(changed);
      return changed;
    } catch (error) {
      if (isChangedMeanwhile(error)) {
        onChanged(await readSkill(name));
      }
      throw error;
    }
  }

  const ifMatch = skill.checksum;
  return {
    /** Adds an empty file. */
    add: (path: string) =>
      write(ifMatch, () => writeFile({ name, path, file: new Blob() }, { ifMatch })),

    move: async (from: string, to: string) => {
      const body = { from, to };
      await write(
        ifMatch,
        () => call(adminSkillFilesApi.moveFile, { params: { name }, body }, { ifMatch }),
        () => drafts.move(from, to),
      );
    },

    remove: async (path: string) => {
      const changed = await write(
        ifMatch,
        () => call(adminSkillFilesApi.removeFile, { params: { name, path } }, { ifMatch }),
        () => drafts.discard(path),
      );
      showUndo({
        message: t('skillFiles.deleted', { path }),
        undo: async () => onChanged(await restoreSkill(changed, ifMatch)),
      });
    },

    /** Uploads files into the skill, one after the other, replacing files with the same path. */
    put: async (files: readonly FileAtPath[], onProgress: (done: number) => void) => {
      let from = ifMatch;
      for (const [index, entry] of files.entries()) {
        const report = (sent: number) => onProgress((index + sent) / files.length);
        const options = { ifMatch: from, onProgress: report };
        const changed = await write(
          from,
          () => writeFile({ name, ...entry }, options),
          () => drafts.discard(entry.path),
        );
        from = changed.checksum;
      }
    },
  };
}
