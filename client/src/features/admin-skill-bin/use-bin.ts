import { type BinnedSkill, type BinResult, skillBinApi } from '@knowhow/shared/skills/skill-bin';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../api/call.ts';
import { refreshSkills } from '../../api/refresh-skills.ts';

/** Changes of deleted skills; `empty` is about all that were deleted up to a time. */
export type BinDeed =
  | { deed: 'restore'; names: readonly string[]; reason?: string | undefined }
  | { deed: 'remove'; skills: readonly BinnedSkill[] }
  | { deed: 'empty'; until: string; count: number };

/** Changes the bin. A toast says what was done; failures are returned until the next change. */
export function useBin(onDone: (done: readonly string[]) => void) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const [failed, setFailed] = useState<BinResult['failed']>([]);
  const change = useMutation({
    mutationFn: run,
    onMutate: () => setFailed([]),
    onSuccess: (result, { deed }) => {
      setFailed(result.failed);
      const count = result.done.length;
      if (count > 0) {
        notifications.show({
          message: t(deed === 'restore' ? 'skillBin.restored' : 'skillBin.removed', { count }),
          closeButtonProps: { 'aria-label': t('action.close') },
        });
      }
      onDone(result.done);
    },
    // Also after an error: some may have been changed.
    onSettled: () => refreshSkills(queryClient),
  });
  return { change, failed, forget: () => setFailed([]) };
}

function run(wanted: BinDeed): Promise<BinResult> {
  switch (wanted.deed) {
    case 'restore':
      return call(skillBinApi.restore, {
        body: {
          names: [...wanted.names],
          ...(wanted.reason === undefined ? {} : { override: { reason: wanted.reason } }),
        },
      });
    case 'remove': {
      const skills = wanted.skills.map(({ name, number }) => ({ name, number }));
      return call(skillBinApi.remove, { body: { skills } });
    }
    case 'empty':
      return call(skillBinApi.empty, { body: { until: wanted.until } });
  }
}
