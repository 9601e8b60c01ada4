import { z } from 'zod';
import { endpoint, fileEndpoint, uploadEndpoint } from '../endpoint.ts';
import { adminSkillDetailSchema } from './admin-skill.ts';
import { writeQuery } from './publication-checks.ts';

/** Maximum size of an uploaded file of a skill, in bytes; the operator may set a lower limit. */
export const maxSkillFile = 32 * 1024 * 1024;

const skillName = z.strictObject({ name: z.string().min(1).max(300) });
const filePath = skillName.extend({ path: z.string().min(1).max(1024) });
const summary = (text: string) => ({ access: 'admin' as const, summary: text });

export const adminSkillFilesApi = {
  file: fileEndpoint({
    ...summary('A file of a skill, including `SKILL.md`'),
    method: 'GET',
    path: '/api/admin/skills/:name/files/*path',
    isDownload: false,
    params: filePath,
  }),
  writeFile: uploadEndpoint({
    ...summary('Writes a file of a skill, from the raw body'),
    method: 'PUT',
    path: '/api/admin/skills/:name/files/*path',
    maxBytes: maxSkillFile,
    params: filePath,
    query: writeQuery,
    response: adminSkillDetailSchema,
  }),
  removeFile: endpoint({
    ...summary('Deletes a file of a skill'),
    method: 'DELETE',
    path: '/api/admin/skills/:name/files/*path',
    params: filePath,
    query: writeQuery,
    response: adminSkillDetailSchema,
  }),
  moveFile: endpoint({
    ...summary('Renames a file of a skill'),
    method: 'POST',
    path: '/api/admin/skills/:name/move',
    params: skillName,
    query: writeQuery,
    body: z.strictObject({ from: z.string().min(1).max(1024), to: z.string().min(1).max(1024) }),
    response: adminSkillDetailSchema,
  }),
};
