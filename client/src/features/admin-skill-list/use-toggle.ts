import type { AdminSkill } from '@knowhow/shared/skills/admin-skill';
import { adminSkillsApi } from '@knowhow/shared/skills/admin-skills';
import { useMutation, useMutationState } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '../../api/call.ts';
import { useErrorToast } from '../../ui/text/use-error-toast.ts';
import { useUndoToast } from '../../ui/use-undo-toast.tsx';
import { useRefresh } from './use-refresh.ts';

interface Switching {
  name: string;
  isOn: boolean;
  isUndo?: boolean;
}

const mutationKey = ['switch-skill'];

/** Toggles a skill optimistically, with undo in a toast. Reverts if the server refuses. */
export function useToggle() {
  const { t } = useTranslation();
  const showError = useErrorToast();
  const showUndo = useUndoToast();
  const refresh = useRefresh();
  const toggle = useMutation({
    mutationKey,
    // Sequential, so that the last click wins.
    scope: { id: 'switch-skill' },
    mutationFn: ({ name, isOn }: Switching) =>
      call(adminSkillsApi.update, { params: { name }, body: { enabled: isOn } }),
    onSuccess: (_, switching) => switching.isUndo || showToggled(switching),
    onError: showError,
    onSettled: refresh,
  });
  const pending = useMutationState({
    filters: { mutationKey, status: 'pending' },
    select: ({ state }) => state.variables as Switching,
  });

  function showToggled({ name, isOn }: Switching) {
    showUndo({
      message: t(isOn ? 'skillList.isOn' : 'skillList.isOff', { name }),
      undo: () => toggle.mutate({ name, isOn: !isOn, isUndo: true }),
    });
  }

  return {
    /** The skill with all pending changes applied. */
    asSwitched<Shown extends AdminSkill>(skill: Shown): Shown {
      const last = pending.findLast(({ name }) => name === skill.name);
      const status = last?.isOn ? 'on' : 'off';
      return last && isSwitchable(skill) ? { ...skill, status } : skill;
    },
    toggle: ({ name }: AdminSkill, isOn: boolean) => toggle.mutate({ name, isOn }),
  };
}

/** A shadowed skill cannot be addressed, and a blocked one stays off; a broken one may still be tried. */
export function isSwitchable({ status }: AdminSkill): boolean {
  return status !== 'shadowed' && status !== 'blocked';
}
