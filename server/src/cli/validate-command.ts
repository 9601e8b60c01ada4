import { relative } from 'node:path';
import type { Diagnostic } from '@knowhow/shared/skills';
import { passesReference } from '../skills/diagnostics.ts';
import { reveal } from '../skills/hidden-characters.ts';
import { type ReadSkill, readSkills } from './find-skills.ts';
import { renderTable } from './render-table.ts';
import type { Terminal } from './terminal.ts';

interface Report {
  /** Of `SKILL.md`, as seen from where the command runs. */
  path: string;
  name: string | undefined;
  valid: boolean;
  accepted: boolean;
  diagnostics: readonly Diagnostic[];
}

/** Prints every remark on the skills at some paths. Gives the exit code: 1 when one is rejected. */
export async function validateCommand(
  paths: readonly string[],
  { strict, json }: { strict: boolean; json: boolean },
  terminal: Terminal,
): Promise<number> {
  const reports = (await readSkills(paths)).map((skill) => report(skill, strict));
  terminal.out(json ? JSON.stringify(reports, null, 2) : `${findings(reports)}${summary(reports)}`);
  return reports.every(({ accepted }) => accepted) ? 0 : 1;
}

function report({ path, found }: ReadSkill, strict: boolean): Report {
  const read = 'diagnostics' in found;
  const diagnostics = read ? found.diagnostics : [found.diagnostic];
  return {
    path: relative('', path),
    name: read ? found.id : undefined,
    valid: read && found.valid,
    accepted: strict
      ? passesReference(diagnostics)
      : diagnostics.every(({ severity }) => severity !== 'error'),
    diagnostics,
  };
}

function findings(reports: readonly Report[]): string {
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

function summary(reports: readonly Report[]): string {
  const count = (chosen: (report: Report) => boolean) => reports.filter(chosen).length;
  const noun = reports.length === 1 ? 'skill' : 'skills';
  const valid = count((each) => each.valid);
  const rejected = count((each) => !each.accepted);
  return `${reports.length} ${noun}: ${valid} valid by the specification, ${rejected} rejected`;
}
