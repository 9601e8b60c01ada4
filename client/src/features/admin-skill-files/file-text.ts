import type { AdminSkillDetail } from '@knowhow/shared/skills/admin-skill';
import { adminSkillFilesApi } from '@knowhow/shared/skills/admin-skill-files';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { send } from '../../api/request.ts';

export interface FileText {
  /** Undefined when the bytes are no UTF-8. A byte order mark is part of it. */
  text: string | undefined;
  /** Of the skill when the file said so, or a moment before. */
  checksum: string;
}

/** A text file of a skill, as options of a query. Another state of the skill is another query. */
export function fileText(
  { name, checksum }: Pick<AdminSkillDetail, 'name' | 'checksum'>,
  path: string,
) {
  return queryOptions({
    // Not by the endpoint: what is asked again after a change of the skill need not be this.
    queryKey: ['skill-file', name, path, checksum],
    queryFn: async ({ signal }): Promise<FileText> => ({
      text: await readFileText(name, path, signal),
      checksum,
    }),
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: keepPreviousData,
  });
}

/** Reads a file; undefined when its bytes are no UTF-8, which writing would not bring back. */
export async function readFileText(
  name: string,
  path: string,
  signal?: AbortSignal,
): Promise<string | undefined> {
  const response = await send(adminSkillFilesApi.file, { params: { name, path } }, { signal });
  const bytes = await response.arrayBuffer();
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** What ends the lines of a text. Where they end differently, returns are letters like others. */
export function lineBreakOf(text: string): '\n' | '\r\n' {
  return text.includes('\r\n') && !/(^|[^\r])\n/.test(text) ? '\r\n' : '\n';
}
