import { adminSkillFilesApi } from '@knowhow/shared/skills/admin-skill-files';
import { skillDraftsApi } from '@knowhow/shared/skills/skill-drafts';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { send } from '../../api/request.ts';
import type { EditedSkill } from './draft/edited-skill.ts';

export interface FileText {
  /** Undefined for invalid UTF-8. A byte order mark is part of the text. */
  text: string | undefined;
  /** Revision of the skill at that time, or shortly before. */
  checksum: string;
}

/** Query options for a text file of a skill. Each revision has its own query. */
export function fileText(skill: Pick<EditedSkill, 'name' | 'checksum' | 'draft'>, path: string) {
  const { name, checksum } = skill;
  return queryOptions({
    // Not keyed by endpoint: invalidating a skill need not reload this.
    queryKey: ['skill-file', name, path, checksum],
    queryFn: async ({ signal }): Promise<FileText> => ({
      text: await readFileText(skill, path, signal),
      checksum,
    }),
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: keepPreviousData,
  });
}

/** Reads a file; undefined for invalid UTF-8, because writing would not preserve it. */
export async function readFileText(
  { name, draft }: Pick<EditedSkill, 'name' | 'draft'>,
  path: string,
  signal?: AbortSignal,
): Promise<string | undefined> {
  const response = draft
    ? await send(skillDraftsApi.file, { params: { skill: name, path } }, { signal })
    : await send(adminSkillFilesApi.file, { params: { name, path } }, { signal });
  const bytes = await response.arrayBuffer();
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** The line ending of a text. In a mixed text, carriage returns are ordinary characters. */
export function detectLineEnding(text: string): '\n' | '\r\n' {
  return text.includes('\r\n') && !/(^|[^\r])\n/.test(text) ? '\r\n' : '\n';
}
