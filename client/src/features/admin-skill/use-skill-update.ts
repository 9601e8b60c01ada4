import type { AdminSkillDetail } from '@knowhow/shared/skills/admin-skill';
import { adminSkillsApi } from '@knowhow/shared/skills/admin-skills';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../api/call.ts';
import { refreshSkills } from '../../api/refresh-skills.ts';
import type { Input } from '../../api/request.ts';
import { useErrorToast } from '../../ui/text/use-error-toast.ts';
import { useUndoToast } from '../../ui/use-undo-toast.tsx';
import { skillQuery, useKeepSkill } from './use-skill.ts';

type Change = Input<typeof adminSkillsApi.update>['body'];

interface Update {
  change: Change;
  /** The optimistic state of the skill. */
  shown?: Partial<AdminSkillDetail>;
  /** A sentence about the change, and a function that undoes only this change. */
  done?: { message: string; back: (now: AdminSkillDetail) => Change };
}

/** Updates a skill's settings optimistically, with undo. */
export function useSkillUpdate({ name }: { name: string }) {
  const queryClient = useQueryClient();
  const keepSkill = useKeepSkill();
  const showError = useErrorToast();
  const showUndo = useUndoToast();
  const { queryKey } = skillQuery(name);
  const mutationKey = ['skill-update', name];
  const { mutate, isPending } = useMutation({
    mutationKey,
    // Sequential, so that the last click wins.
    scope: { id: mutationKey.join(' ') },
    mutationFn: ({ change }: Update) => {
      const ifMatch = queryClient.getQueryData(queryKey)?.settingsChecksum;
      return call(
        adminSkillsApi.update,
        { params: { name }, body: change },
        ifMatch === undefined ? {} : { ifMatch },
      );
    },
    onMutate: ({ shown }) => {
      const before = queryClient.getQueryData(queryKey);
      queryClient.setQueryData(queryKey, (skill) => skill && { ...skill, ...shown });
      return before;
    },
    onSuccess: (skill, { done }) => {
      if (done) {
        showUndo({ message: done.message, undo: () => undo(done.back) });
      }
      if (queryClient.isMutating({ mutationKey }) === 1) {
        return keepSkill(skill);
      }
      // A response with pending later updates is only their base, not the final state.
      const { settingsChecksum } = skill;
      queryClient.setQueryData(queryKey, (now) => now && { ...now, settingsChecksum });
      return undefined;
    },
    onError: (error, _update, before) => {
      showError(error);
      // The server may be unreachable, and nothing has changed.
      queryClient.setQueryData(queryKey, before);
      return refreshSkills(queryClient);
    },
  });

  function undo(back: (now: AdminSkillDetail) => Change) {
    const now = queryClient.getQueryData(queryKey);
    if (now) {
      mutate({ change: back(now) });
    }
  }

  return { update: (update: Update) => mutate(update), isPending };
}
