import { Problem } from '@knowhow/shared/problem';
import type { AdminSkillDetail } from '@knowhow/shared/skills/admin-skill';
import { adminSkillFilesApi } from '@knowhow/shared/skills/admin-skill-files';
import { adminSkillsApi } from '@knowhow/shared/skills/admin-skills';
import { call } from '../../api/call.ts';
import { upload } from '../../api/upload.ts';
import { readFileText } from './file-text.ts';
import type { SkillServer } from './save-drafts.ts';

/**
 * Skill files on our server.
 *
 * @param message what the writes change, for the versions
 */
export function skillServer(name: string, message?: string): SkillServer {
  return {
    readSkill: () => readSkill(name),
    readText: async (path) => {
      try {
        return await readFileText(name, path);
      } catch (error) {
        if (error instanceof Problem && error.code === 'not-found') {
          return undefined;
        }
        throw error;
      }
    },
    writeText: (path, text, ifMatch) => {
      const file = new Blob([text], { type: 'text/plain' });
      return writeFile({ name, path, file, message }, { ifMatch });
    },
  };
}

export function readSkill(name: string): Promise<AdminSkillDetail> {
  return call(adminSkillsApi.get, { params: { name } });
}

interface NewFile {
  /** Checksum of the skill. */
  name: string;
  path: string;
  file: Blob;
  message?: string | undefined;
}

export function writeFile(
  { name, path, file, message }: NewFile,
  options: { ifMatch: string; onProgress?: (sent: number) => void },
): Promise<AdminSkillDetail> {
  return upload(
    adminSkillFilesApi.writeFile,
    { params: { name, path }, query: { message: message || undefined }, file },
    options,
  );
}
