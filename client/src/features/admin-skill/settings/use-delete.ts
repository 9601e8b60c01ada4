import type { AdminSkillDetail } from '@knowhow/shared/skills/admin-skill';
import { adminSkillsApi } from '@knowhow/shared/skills/admin-skills';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { call } from '../../../api/call.ts';
import { refreshSkills } from '../../../api/refresh-skills.ts';
import { useUndoToast } from '../../../ui/use-undo-toast.tsx';
import { useRestore } from '../history/use-restore.ts';
import { skillQuery } from '../use-skill.ts';

/** Deletes a skill and returns to the list, with undo in a toast. */
export function useDelete({ name, displayName, checksum }: AdminSkillDetail) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const showUndo = useUndoToast();
  const restore = useRestore(name);
  return useMutation({
    mutationFn: () => call(adminSkillsApi.remove, { params: { name } }, { ifMatch: checksum }),
    onSuccess: ({ restorable }) => {
      void navigate('/admin/skills');
      queryClient.removeQueries(skillQuery(name));
      void refreshSkills(queryClient);
      showUndo({
        message: t('skillPage.deleted', { name: displayName }),
        undo: () => restore({ revision: restorable }),
      });
    },
  });
}
