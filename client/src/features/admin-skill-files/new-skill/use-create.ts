import { adminSkillsApi } from '@knowhow/shared/skills/admin-skills';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../../api/call.ts';
import { usePublishing } from '../../../ui/use-publishing.ts';
import { type EditedSkill, editPublished } from '../draft/edited-skill.ts';
import { createDraft, writeFile } from '../skill-server.ts';
import type { FileAtPath } from '../use-file-actions.ts';
import { draftText, getCategory, type NewSkill, toCreateRequest } from './new-skill.ts';
import { nameQuery } from './use-name-check.ts';

interface Creation {
  skill: NewSkill;
  body: string;
  files: readonly FileAtPath[];
}

/** A created skill, and its remaining files. */
export interface PartiallyCreated {
  skill: EditedSkill;
  left: readonly FileAtPath[];
}

/**
 * Creates a skill, or its draft where a review is required, then uploads its files. If one fails, the rest can be
 * retried.
 */
export function useCreate(onCreated: (skill: EditedSkill) => void) {
  const { mayPublishIn } = usePublishing();
  const queryClient = useQueryClient();
  const [begun, setBegun] = useState<PartiallyCreated>();

  async function putIn({ skill, left }: PartiallyCreated): Promise<void> {
    const [file, ...others] = left;
    setBegun({ skill, left });
    if (!file) {
      onCreated(skill);
      return;
    }
    const options = { ifMatch: skill.checksum };
    await putIn({ skill: await writeFile(skill, file, options), left: others });
  }

  const creating = useMutation({
    mutationFn: async ({ skill, body, files }: Creation) => {
      // A fast user may submit before the derived name is available.
      const name = skill.name ?? (await queryClient.fetchQuery(nameQuery(skill.title.trim()))).name;
      const wanted = toCreateRequest(skill, name, body);
      const created = mayPublishIn(getCategory(skill))
        ? editPublished(await call(adminSkillsApi.create, { body: wanted }))
        : await createDraft(name, draftText(wanted));
      await putIn({ skill: created, left: files });
    },
  });
  const goingOn = useMutation({ mutationFn: putIn });
  return { creating, goingOn, begun };
}
