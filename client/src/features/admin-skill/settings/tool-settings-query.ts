import { skillToolSettingsApi } from '@knowhow/shared/skills/skill-tool-settings';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../../api/call.ts';
import { query } from '../../../api/query.ts';
import { refreshSkills } from '../../../api/refresh-skills.ts';
import type { Input } from '../../../api/request.ts';
import { skillQuery } from '../use-skill.ts';

export type ToolSettingsChange = Input<typeof skillToolSettingsApi.put>['body'];

export function toolSettingsQuery(name: string) {
  return query(skillToolSettingsApi.get, { params: { name } });
}

/** Saves the settings of a skill's code, unless another user has changed the skill in the meantime. */
export function useSaveToolSettings(name: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: ToolSettingsChange) => {
      const ifMatch = queryClient.getQueryData(skillQuery(name).queryKey)?.settingsChecksum;
      return call(
        skillToolSettingsApi.put,
        { params: { name }, body },
        ifMatch === undefined ? {} : { ifMatch },
      );
    },
    onSuccess: (saved) => {
      queryClient.setQueryData(toolSettingsQuery(name).queryKey, saved);
      return refreshSkills(queryClient);
    },
  });
}
