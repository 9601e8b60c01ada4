import { relative } from 'node:path';
import type { Diagnostic } from '@knowhow/shared/skills';
import { passesReference } from '../skills/diagnostics.ts';
import { reveal } from '../skills/hidden-characters.ts';
import { isArchive, readSkills } from './find-skills.ts';
import { judgeArchive } from './judge-archive.ts';
import { renderTable } from './render-table.ts';
import type { Accepts, SkillReport } from './skill-report.ts';
import type { Terminal } from './terminal.ts';

/**
 * Prints every remark on the skills at some paths, which may be archives. Gives the exit code: 1 when
 * one is rejected.
 */
export async function validateCommand(
  paths: readonly string[],
  { strict, json }: { strict: boolean; json: boolean },
  terminal: Terminal,
): Promise<number> {
  const accepts = strict ? passesReference : hasNoError;
  const reports: SkillReport[] = [];
  for (const path of paths) {
    const isPacked = await isArchive(path);
    reports.push(
      ...(await (isPacked ? judgeArchive(path, accepts) : judge(path, accepts, terminal))),
    );
  }
  terminal.out(json ? JSON.stringify(reports, null, 2) : `${findings(reports)}${summary(reports)}`);
  return reports.every(({ accepted }) => accepted) ? 0 : 1;
}

function hasNoError(diagnostics: readonly Diagnostic[]): boolean {
  return diagnostics.every(({ severity }) => severity !== 'error');
}

async function judge(path: string, accepts: Accepts, terminal: Terminal): Promise<SkillReport[]> {
  return (await readSkills([path], terminal)).map(({ path: file, found }) => {
    const read = 'diagnostics' in found;
    const diagnostics = read ? found.diagnostics : [found.diagnostic];
    return {
      path: relative('', file),
      name: read ? found.id : undefined,
      valid: read && found.valid,
      accepted: accepts(diagnostics),
      diagnostics,
    };
  });
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
