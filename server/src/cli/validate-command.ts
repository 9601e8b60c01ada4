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
import {
  diagnoseContent,
  diagnosePacked,
  type FoundSkill,
  judgeStrictly,
  passesReference,
  readSources,
  reveal,
  type SizeLimits,
} from '../modules/skills/index.ts';
import { isArchive, readSkills } from './find-skills.ts';
import { renderTable } from './render-table.ts';
import type { Measure, SkillReport } from './skill-report.ts';
import type { Terminal } from './terminal.ts';

/**
 * Prints all diagnostics of the skills at some paths, including archives. Returns the exit code: 1
 * if one is rejected.
 */
export async function validateCommand(
  paths: readonly string[],
  { strict, json }: { strict: boolean; json: boolean },
  terminal: Terminal,
): Promise<number> {
  const measure = strict ? strictly : leniently;
  const reports: SkillReport[] = [];
  for (const path of paths) {
    const isPacked = await isArchive(path);
    reports.push(
      ...(await (isPacked
        ? validateArchive(path, measure, terminal.sizeLimits())
        : judge(path, measure, terminal))),
    );
  }
  terminal.out(json ? JSON.stringify(reports, null, 2) : `${findings(reports)}${summary(reports)}`);
  return reports.every(({ accepted }) => accepted) ? 0 : 1;
}

const strictly: Measure = { accepts: passesReference, more: judgeStrictly };
const leniently: Measure = {
  accepts: (diagnostics) => diagnostics.every(({ severity }) => severity !== 'error'),
  more: () => [],
};

async function judge(path: string, measure: Measure, terminal: Terminal): Promise<SkillReport[]> {
  const reports: SkillReport[] = [];
  for (const { path: file, found } of await readSkills([path], terminal)) {
    reports.push(await reportOn(file, found, measure));
  }
  return reports;
}

async function reportOn(file: string, found: FoundSkill, measure: Measure): Promise<SkillReport> {
  const path = relative('', file);
  if ('diagnostic' in found) {
    const diagnostics = [found.diagnostic];
    const accepted = measure.accepts(diagnostics);
    return { path, name: undefined, valid: false, accepted, diagnostics };
  }
  const { id, valid } = found;
  const diagnostics = [
    ...found.diagnostics,
    ...(await diagnoseContent(found)),
    ...measure.more(await found.source.read(found)),
  ];
  return { path, name: id, valid, accepted: measure.accepts(diagnostics), diagnostics };
}

function findings(reports: readonly SkillReport[]): string {
  const rows = reports.flatMap(({ path, diagnostics }) =>
    diagnostics.map(({ line, severity, code, message, fix }) => [
      `${reveal(path)}:${line ?? 1}`,
      severity,
      code,
      fix ? `${message} — ${fix}` : message,
    ]),
  );
  return rows.length === 0 ? '' : `${renderTable(rows)}\n\n`;
}

function summary(reports: readonly SkillReport[]): string {
  const count = (chosen: (report: SkillReport) => boolean) => reports.filter(chosen).length;
  const noun = reports.length === 1 ? 'skill' : 'skills';
  const valid = count((each) => each.valid);
  const rejected = count((each) => !each.accepted);
  return `${reports.length} ${noun}: ${valid} valid by the specification, ${rejected} rejected`;
}

/**
 * Validates the skills of an archive like an import into a fresh installation. A rejected archive
 * yields one report with all issues.
 */
async function validateArchive(
  file: string,
  measure: Measure,
  limits: SizeLimits,
): Promise<SkillReport[]> {
  const path = relative('', file);
  try {
    const { skills } = await readSources(file, { fileName: basename(file) }, limits);
    const prepared = skills.map((skill) => prepareSkill(skill, undefined, undefined));
    const twice = namedTwice(prepared);
    return prepared.map((skill) => {
      const errors = twice.filter((each) => each.skill === skill).map(asError);
      return reportOnArchived({ skill, path, errors }, measure);
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

function reportOnArchived({ skill, path, errors }: Judged, measure: Measure): SkillReport {
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
