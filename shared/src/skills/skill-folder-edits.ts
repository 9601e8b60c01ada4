import { z } from 'zod';
import { endpoint } from '../endpoint.ts';

const skillName = z.strictObject({ name: z.string().min(1).max(300) });
const access = 'admin' as const;

/** An edit of the folder of a skill in the file system that is not published. */
const folderEditSchema = z.object({
  /** For `If-Match`; omitted if the folder was removed. */
  checksum: z.string().optional(),
  /** ISO 8601, UTC. */
  found: z.string(),
  /** Whether the draft of the skill contains it. Otherwise, it waits for another draft. */
  isDrafted: z.boolean(),
  /** Whether the folder holds what is published again, and only the edit is kept. */
  isOverwritten: z.boolean(),
});
export type SkillFolderEdit = z.infer<typeof folderEditSchema>;

const folderStateSchema = z.object({
  name: z.string(),
  /** Absent if the folder holds what is published, or if folders are not reviewed. */
  edit: folderEditSchema.optional(),
});

/** Edits in the folder of skills, which become drafts with `publishing.files: "review"`. */
export const skillFolderEditsApi = {
  get: endpoint({
    access,
    summary: 'The edit of the folder of a skill that is not published',
    method: 'GET',
    path: '/api/admin/skills/:name/folder-edit',
    params: skillName,
    response: folderStateSchema,
  }),
  remove: endpoint({
    access,
    summary: 'Discards the edit of a folder: it gets the published files back',
    method: 'DELETE',
    path: '/api/admin/skills/:name/folder-edit',
    params: skillName,
    response: folderStateSchema,
  }),
};
