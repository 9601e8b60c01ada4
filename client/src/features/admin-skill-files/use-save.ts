import type { AdminSkillDetail } from '@knowhow/shared/skills/admin-skill';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useUndoToast } from '../../ui/use-undo-toast.tsx';
import { fileText } from './file-text.ts';
import { restoreSkill } from './restore-skill.ts';
import { type Conflict, type Saved, saveDrafts } from './save-drafts.ts';
import { skillServer } from './skill-server.ts';
import type { FileDrafts } from './use-drafts.ts';

interface SaveOptions {
  skill: AdminSkillDetail;
  drafts: FileDrafts;
  onChanged: (skill: AdminSkillDetail) => void;
}

export type Saving = ReturnType<typeof useSave>;

/** Saves all changed files. Asks first about conflicts. */
export function useSave({ skill: { name }, drafts, onChanged }: SaveOptions) {
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
    if (first && last) {
      showUndo({
        message: t('skillFiles.saved', { count: saved.length, path: first.path }),
        undo: async () => onChanged(await restoreSkill(last.skill, first.from)),
      });
    }
  }

  const saving = useMutation({
    mutationFn: async (wanted: FileDrafts['all']) => {
      const saved: Saved[] = [];
      try {
        const found = await saveDrafts(wanted, skillServer(name, message), (one) => {
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
  return {
    conflict,
    error: saving.error,
    isSaving: saving.isPending,
    message,
    setMessage,
    closeConflict: () => setConflict(undefined),
    save: () => {
      if (drafts.paths.length > 0 && !saving.isPending) {
        saving.mutate(drafts.all);
      }
    },
    /** Saves the files after a conflict was resolved. */
    saveAs: saving.mutate,
  };
}
