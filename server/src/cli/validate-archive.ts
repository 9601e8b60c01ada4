import { basename, relative } from 'node:path';
import { Problem } from '@knowhow/shared/problem';
import type { Diagnostic } from '@knowhow/shared/skills/skills';
import {
  diagnosticsOn,
  mainFile,
  namedTwice,
  type PreparedSkill,
  prepareSkill,
} from '../modules/admin/index.ts';
import { diagnosePacked, readSources, type SizeLimits } from '../modules/skills/index.ts';
import { readBounded } from './read-bounded.ts';
import type { Measure, SkillReport } from './skill-report.ts';

/**
 * Validates the skills of an archive like an import into a fresh installation. A rejected archive
 * yields one report with all issues.
 */
export async function validateArchive(
  file: string,
  measure: Measure,
  limits: SizeLimits,
): Promise<SkillReport[]> {
  const path = relative('', file);
  try {
    const { skills } = await readSources(
      await readBounded(file),
      { fileName: basename(file) },
      limits,
    );
    const prepared = skills.map((skill) => prepareSkill(skill, undefined, undefined));
    const twice = namedTwice(prepared);
    return prepared.map((skill) => {
      const errors = twice.filter((each) => each.skill === skill).map(asError);
      return reportOn({ skill, path, errors }, measure);
    });
  } catch (error) {
    if (!(error instanceof Problem)) {
      throw error;
    }
    const diagnostics = diagnosticsOf(error);
    return [{ path, name: undefined, valid: false, accepted: false, diagnostics }];
  }
}

interface Judged {
  skill: PreparedSkill;
  /** Path of the archive. */
  path: string;
  /** Additional errors that prevent the import. */
  errors: Diagnostic[];
}

function reportOn({ skill, path, errors }: Judged, measure: Measure): SkillReport {
  const { name, root, refusals } = skill;
  const inside = root === '' ? 'SKILL.md' : `${root}/SKILL.md`;
  const diagnostics = [
    ...diagnosticsOn(skill),
    ...diagnosePacked(name, skill.files),
    ...measure.more(mainFile(skill.files).bytes),
  ];
  return {
    path: `${path}!/${inside}`,
    name,
    valid: skill.skill.valid,
    accepted: refusals.length + errors.length === 0 && measure.accepts(diagnostics),
    diagnostics: [...diagnostics, ...errors],
  };
}

function asError({ code, message }: { code: string; message: string }): Diagnostic {
  return { code, severity: 'error', message };
}

function diagnosticsOf({ code, message, issues = [] }: Problem): Diagnostic[] {
  const found = issues.map(({ path, ...issue }) => ({
    code: issue.code,
    severity: 'error' as const,
    message: path === '' ? issue.message : `"${path}": ${issue.message}`,
  }));
  return found.length > 0 ? found : [{ code, severity: 'error', message }];
}
