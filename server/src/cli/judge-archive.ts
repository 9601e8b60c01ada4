import { createReadStream } from 'node:fs';
import { basename, relative } from 'node:path';
import { Problem } from '@knowhow/shared/problem';
import { maxSkillUpload } from '@knowhow/shared/skill-archives';
import type { Diagnostic } from '@knowhow/shared/skills';
import { parseSkill } from '../skills/parse-skill.ts';
import { type ArchivedSkill, readArchive } from '../skills/read-archive.ts';
import type { Accepts, SkillReport } from './skill-report.ts';

/** The skills of an archive; when it is refused, one report with everything that is wrong with it. */
export async function judgeArchive(file: string, accepts: Accepts): Promise<SkillReport[]> {
  const path = relative('', file);
  try {
    const { skills } = await readArchive(await readStart(file), { fileName: basename(file) });
    return skills.map((skill) => reportOn(skill, path, accepts));
  } catch (error) {
    if (!(error instanceof Problem)) {
      throw error;
    }
    const diagnostics = diagnosticsOf(error);
    return [{ path, name: undefined, valid: false, accepted: false, diagnostics }];
  }
}

/** Of a file that is too large no more than shows that it is. */
async function readStart(file: string): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of createReadStream(file, { end: maxSkillUpload })) {
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks);
}

function reportOn(
  { folder, place, files }: ArchivedSkill,
  path: string,
  accepts: Accepts,
): SkillReport {
  const main = files.find(({ path }) => path === 'SKILL.md');
  const { skill } = parseSkill(main?.bytes ?? new Uint8Array(), folder);
  const { id, valid, diagnostics } = skill;
  const inside = place === '' ? 'SKILL.md' : `${place}/SKILL.md`;
  return {
    path: `${path}!/${inside}`,
    name: id,
    valid,
    accepted: accepts(diagnostics),
    diagnostics,
  };
}

function diagnosticsOf({ code, message, issues = [] }: Problem): Diagnostic[] {
  const found = issues.map(({ path, ...issue }) => ({
    code: issue.code,
    severity: 'error' as const,
    message: path === '' ? issue.message : `"${path}": ${issue.message}`,
  }));
  return found.length > 0 ? found : [{ code, severity: 'error', message }];
}
