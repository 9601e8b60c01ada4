import { useTranslation } from 'react-i18next';
import { useUndoToast } from '../../ui/use-undo-toast.tsx';
import { type EditedSkill, editPublished } from './draft/edited-skill.ts';
import { restoreSkill } from './restore-skill.ts';
import { isChangedMeanwhile } from './save-drafts.ts';
import { moveFile, readSkill, removeFile, writeFile } from './skill-server.ts';
import type { FileDrafts } from './use-drafts.ts';

interface FileActionsOptions {
  skill: EditedSkill;
  drafts: FileDrafts;
  onChanged: (skill: EditedSkill) => void;
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

  /**
   * Runs one write, then `settle` for the drafts that it affected. If the write is rejected because the skill
   * has changed, shows the current version.
   */
  async function write(from: string, run: () => Promise<EditedSkill>, settle?: () => void) {
    try {
      const changed = await run();
      settle?.();
      drafts.moveOn(from, changed.checksum);
      onChanged(changed);
      return changed;
    } catch (error) {
      if (isChangedMeanwhile(error)) {
        onChanged(await readSkill(skill));
      }
      throw error;
    }
  }

  const ifMatch = skill.checksum;
  return {
    /** Adds an empty file. */
    add: (path: string) =>
      write(ifMatch, () => writeFile(skill, { path, file: new Blob() }, { ifMatch })),

    move: async (from: string, to: string) => {
      await write(
        ifMatch,
        () => moveFile(skill, { from, to }, { ifMatch }),
        () => drafts.move(from, to),
      );
    },

    remove: async (path: string) => {
      const changed = await write(
        ifMatch,
        () => removeFile(skill, path, { ifMatch }),
        () => drafts.discard(path),
      );
      // A deletion from a draft can be undone by discarding the draft.
      if (!changed.draft) {
        showUndo({
          message: t('skillFiles.deleted', { path }),
          undo: async () => onChanged(editPublished(await restoreSkill(changed, ifMatch))),
        });
      }
    },

    /** Uploads files into the skill, one after the other, replacing files with the same path. */
    put: async (files: readonly FileAtPath[], onProgress: (done: number) => void) => {
      let from = ifMatch;
      for (const [index, entry] of files.entries()) {
        const report = (sent: number) => onProgress((index + sent) / files.length);
        const options = { ifMatch: from, onProgress: report };
        const changed = await write(
          from,
          () => writeFile(skill, entry, options),
          () => drafts.discard(entry.path),
        );
        from = changed.checksum;
      }
    },
  };
}
