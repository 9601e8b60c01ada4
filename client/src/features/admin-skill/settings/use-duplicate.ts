import { adminSkillsApi } from '@knowhow/shared/skills/admin-skills';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { call } from '../../../api/call.ts';
import { useErrorToast } from '../../../ui/text/use-error-toast.ts';
import { skillPath } from '../skill-path.ts';
import { useKeepSkill } from '../use-skill.ts';

/** Copies a skill to a local one; with its own name the copy shadows a read-only skill. */
export function useDuplicate(name: string) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const keepSkill = useKeepSkill();
  const showError = useErrorToast();
  return useMutation({
    mutationFn: (newName: string) =>
      call(adminSkillsApi.duplicate, { params: { name }, body: { name: newName } }),
    onSuccess: (copy) => {
      void keepSkill(copy);
      notifications.show({
        message: t('skillPage.copied', { location: copy.location }),
        closeButtonProps: { 'aria-label': t('action.close') },
      });
      if (copy.name !== name) {
        void navigate(skillPath(copy.name));
      }
    },
    onError: showError,
  });
}
