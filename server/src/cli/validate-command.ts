import { relative } from 'node:path';
import {
  diagnoseContent,
  type FoundSkill,
  judgeStrictly,
  passesReference,
  reveal,
} from '../modules/skills/index.ts';
import { isArchive, readSkills } from './find-skills.ts';
import { renderTable } from './render-table.ts';
import type { Measure, SkillReport } from './skill-report.ts';
import type { Terminal } from './terminal.ts';
import { validateArchive } from './validate-archive.ts';

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
