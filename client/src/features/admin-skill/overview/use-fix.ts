import { problem } from '@knowhow/shared/problem';
import type { AdminSkillDetail } from '@knowhow/shared/skills/admin-skill';
import { adminSkillsApi } from '@knowhow/shared/skills/admin-skills';
import { skillHistoryApi } from '@knowhow/shared/skills/skill-history';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '../../../api/call.ts';
import { useUndoToast } from '../../../ui/use-undo-toast.tsx';
import { useRestore } from '../history/use-restore.ts';
import { useKeepSkill } from '../use-skill.ts';

/** Lets the server fix a diagnostic by code; undo restores the previous version. */
export function useFix({ name, checksum }: AdminSkillDetail) {
  const { t } = useTranslation();
  const keepSkill = useKeepSkill();
  const showUndo = useUndoToast();
  const restore = useRestore(name);

  async function undo(fixed: AdminSkillDetail) {
    const { items } = await call(skillHistoryApi.history, { params: { name } });
    const before = items.find((revision) => revision.checksum === checksum);
    if (!before) {
      throw problem('not-found', t('skillPage.historyTooShort'));
    }
    await restore({ revision: before.number, ifMatch: fixed.checksum });
  }

  return useMutation({
    mutationFn: (code: string) =>
      call(adminSkillsApi.fix, { params: { name }, body: { code } }, { ifMatch: checksum }),
    onSuccess: (fixed) => {
      void keepSkill(fixed);
      showUndo({ message: t('skillPage.fixed'), undo: () => undo(fixed) });
    },
  });
}
