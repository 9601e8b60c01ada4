import { archiveReportSchema } from '@knowhow/shared/skills/skill-archives';
import { parseAnswer } from './parse-answer.ts';
import type { Visitor } from './start-test-server.ts';

/** Posts an archive, or its token, to an endpoint below `/api/admin/skills/`. */
export const postArchive = (
  visitor: Visitor,
  address: string,
  body: string | Uint8Array,
  type: string,
) =>
  visitor(`/api/admin/skills/${address}`, {
    method: 'POST',
    body,
    headers: { 'Content-Type': type },
  });

/** Validates a zip and returns the token of the cached upload. */
export async function validateUpload(visitor: Visitor, zip: Uint8Array): Promise<string> {
  const response = postArchive(visitor, 'validate', zip, 'application/zip');
  const { token } = await parseAnswer(archiveReportSchema, response);
  return token ?? '';
}

/** Imports the upload of a token. */
export const importToken = (visitor: Visitor, token: string, query = '') =>
  postArchive(visitor, `import${query}`, JSON.stringify({ token }), 'application/json');
