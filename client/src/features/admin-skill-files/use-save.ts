import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useUndoToast } from '../../ui/use-undo-toast.tsx';
import { type EditedSkill, editPublished } from './draft/edited-skill.ts';
import { fileText } from './file-text.ts';
import { restoreSkill } from './restore-skill.ts';
import { type Conflict, type Saved, saveDrafts } from './save-drafts.ts';
import { skillServer } from './skill-server.ts';
import type { FileDrafts } from './use-drafts.ts';

interface SaveOptions {
  skill: EditedSkill;
  drafts: FileDrafts;
  onChanged: (skill: EditedSkill) => void;
}

interface Wanted {
  wanted: FileDrafts['all'];
  /** Whether they are saved to the draft of the skill. */
  toDraft: boolean;
}

export type Saving = ReturnType<typeof useSave>;

/** Saves all changed files. Asks first about conflicts. */
export function useSave({ skill: edited, drafts, onChanged }: SaveOptions) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const showUndo = useUndoToast();
  const [conflict, setConflict] = useState<Conflict>();
  const [message, setMessage] = useState('');

  function keep(saved: Saved) {
    const { path, text, skill } = saved;
    queryClient.setQueryData(fileText(skill, path).queryKey, { text, checksum: skill.checksum });
    drafts.saved(saved);
    onChanged(skill);
  }

  function showSaved(saved: readonly Saved[]) {
    const [first] = saved;
    const last = saved.at(-1);
    if (first && last?.skill.draft) {
      notifications.show({
        message: t('skillDraft.saved'),
        closeButtonProps: { 'aria-label': t('action.close') },
      });
    } else if (first && last) {
      showUndo({
        message: t('skillFiles.saved', { count: saved.length, path: first.path }),
        undo: async () => onChanged(editPublished(await restoreSkill(last.skill, first.from))),
      });
    }
  }

  const saving = useMutation({
    mutationFn: async ({ wanted, toDraft }: Wanted) => {
      const saved: Saved[] = [];
      const target = toDraft ? { ...edited, savesDraft: true } : edited;
      try {
        const found = await saveDrafts(wanted, skillServer(target, message), (one) => {
          saved.push(one);
          keep(one);
        });
        setConflict(found);
        if (found) {
          onChanged(found.skill);
        } else {
          setMessage('');
        }
      } finally {
        showSaved(saved);
      }
    },
  });

  function save(toDraft: boolean) {
    if (drafts.paths.length > 0 && !saving.isPending) {
      saving.mutate({ wanted: drafts.all, toDraft });
    }
  }

  return {
    conflict,
    error: saving.error,
    isSaving: saving.isPending,
    message,
    setMessage,
    closeConflict: () => setConflict(undefined),
    save: () => save(edited.savesDraft ?? false),
    /** Saves to a draft instead of publishing. */
    saveAsDraft: () => save(true),
    /** Saves the files after a conflict was resolved. */
    saveAs: (wanted: FileDrafts['all']) =>
      saving.mutate({ wanted, toDraft: saving.variables?.toDraft ?? false }),
  };
}
