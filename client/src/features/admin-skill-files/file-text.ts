import type { AdminSkillDetail } from '@knowhow/shared/skills/admin-skill';
import { adminSkillFilesApi } from '@knowhow/shared/skills/admin-skill-files';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { send } from '../../api/request.ts';

export interface FileText {
  /** Undefined for invalid UTF-8. A byte order mark is part of the text. */
  text: string | undefined;
  /** Revision of the skill at that time, or shortly before. */
  checksum: string;
}

/** Query options for a text file of a skill. Each revision has its own query. */
export function fileText(
  { name, checksum }: Pick<AdminSkillDetail, 'name' | 'checksum'>,
  path: string,
) {
  return queryOptions({
    // Not keyed by endpoint: invalidating a skill need not reload this.
    queryKey: ['skill-file', name, path, checksum],
    queryFn: async ({ signal }): Promise<FileText> => ({
      text: await readFileText(name, path, signal),
      checksum,
    }),
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: keepPreviousData,
  });
}

/** Reads a file; undefined for invalid UTF-8, because writing would not preserve it. */
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

/** The line ending of a text. In a mixed text, carriage returns are ordinary characters. */
export function detectLineEnding(text: string): '\n' | '\r\n' {
  return text.includes('\r\n') && !/(^|[^\r])\n/.test(text) ? '\r\n' : '\n';
}
