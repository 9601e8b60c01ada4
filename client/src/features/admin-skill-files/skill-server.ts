import { Problem } from '@knowhow/shared/problem';
import { adminSkillFilesApi } from '@knowhow/shared/skills/admin-skill-files';
import { adminSkillsApi } from '@knowhow/shared/skills/admin-skills';
import { skillDraftsApi } from '@knowhow/shared/skills/skill-drafts';
import { call } from '../../api/call.ts';
import { upload } from '../../api/upload.ts';
import { type EditedSkill, editNewDraft, editPublished, withDraft } from './draft/edited-skill.ts';
import { readDraft } from './draft/use-skill-draft.ts';
import { readFileText } from './file-text.ts';
import type { SkillServer } from './save-drafts.ts';

/**
 * Skill files on our server, published or in the draft.
 *
 * @param message what the writes change, for the versions
 */
export function skillServer(skill: EditedSkill, message?: string): SkillServer {
  let newest = skill;
  return {
    readSkill: async () => {
      newest = await readSkill(skill);
      return newest;
    },
    readText: async (path) => {
      try {
        return await readFileText(newest, path);
      } catch (error) {
        if (error instanceof Problem && error.code === 'not-found') {
          return undefined;
        }
        throw error;
      }
    },
    writeText: (path, text, ifMatch) => {
      const file = new Blob([text], { type: 'text/plain' });
      return writeFile(skill, { path, file, message }, { ifMatch });
    },
  };
}

/** Reads a skill again, with its draft if changes are saved there. */
export async function readSkill(skill: EditedSkill): Promise<EditedSkill> {
  const { name, savesDraft = false } = skill;
  const draft = savesDraft ? await readDraft(name) : null;
  if (draft && !skill.published) {
    return editNewDraft(draft);
  }
  const published = editPublished(await call(adminSkillsApi.get, { params: { name } }));
  return draft ? withDraft(published, draft) : { ...published, savesDraft };
}

interface NewFile {
  path: string;
  file: Blob;
  message?: string | undefined;
}

interface WriteOptions {
  /** Checksum of the skill, or etag of its draft. */
  ifMatch: string;
  onProgress?: (sent: number) => void;
}

/** Saves a new skill with one file as a draft. */
export async function createDraft(name: string, text: string): Promise<EditedSkill> {
  const file = new Blob([text], { type: 'text/markdown' });
  // No draft of this name may exist.
  const saved = await upload(
    skillDraftsApi.put,
    { params: { skill: name }, file },
    { ifMatch: 'nothing yet' },
  );
  return editNewDraft(saved);
}

export async function writeFile(
  skill: EditedSkill,
  { path, file, message }: NewFile,
  options: WriteOptions,
): Promise<EditedSkill> {
  const { name } = skill;
  if (skill.savesDraft) {
    const input = { params: { skill: name, path }, file };
    return withDraft(skill, await upload(skillDraftsApi.writeFile, input, options));
  }
  const input = { params: { name, path }, query: { message: message || undefined }, file };
  return editPublished(await upload(adminSkillFilesApi.writeFile, input, options));
}

export async function moveFile(
  skill: EditedSkill,
  body: { from: string; to: string },
  options: WriteOptions,
): Promise<EditedSkill> {
  const { name } = skill;
  return skill.savesDraft
    ? withDraft(
        skill,
        await call(skillDraftsApi.moveFile, { params: { skill: name }, body }, options),
      )
    : editPublished(await call(adminSkillFilesApi.moveFile, { params: { name }, body }, options));
}

export async function removeFile(
  skill: EditedSkill,
  path: string,
  options: WriteOptions,
): Promise<EditedSkill> {
  const { name } = skill;
  return skill.savesDraft
    ? withDraft(
        skill,
        await call(skillDraftsApi.removeFile, { params: { skill: name, path } }, options),
      )
    : editPublished(await call(adminSkillFilesApi.removeFile, { params: { name, path } }, options));
}
