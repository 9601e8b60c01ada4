import type { CheckedSkill, SkillDiagnostic } from '../public.ts';

/** The result for a skill's folder. */
export interface Report {
  path: string;
  /** Whether it passes the check. */
  passes: boolean;
  skill: CheckedSkill;
  /** Codes of what was fixed. */
  fixed: readonly string[];
}

export const formats = ['text', 'json', 'github'] as const;
export type Format = (typeof formats)[number];

/** The reports as text for people, as JSON, or as annotations of GitHub Actions. */
export function writeReports(reports: readonly Report[], format: Format): string {
  switch (format) {
    case 'json':
      return JSON.stringify(reports.map(toJson), null, 2);
    case 'github':
      return reports.flatMap((report) => report.skill.diagnostics.map(annotate(report))).join('\n');
    case 'text':
      return [...reports.map(toText), summarize(reports)].filter(Boolean).join('\n');
  }
}

function toJson({ path, passes, fixed, skill }: Report) {
  const { name, isValid, isUsable, diagnostics } = skill;
  return { path, name, passes, isValid, isUsable, fixed, diagnostics };
}

function toText({ path, fixed, skill }: Report): string {
  const done = fixed.length === 0 ? [] : [`  fixed: ${fixed.join(', ')}`];
  const lines = skill.diagnostics.map(
    ({ severity, code, message, fix, line, file }) =>
      `  ${locate(file, line)}  ${severity}  ${code}: ${message}${fix ? ` ${fix}` : ''}`,
  );
  return done.length + lines.length === 0
    ? ''
    : [plain(path), ...done, ...lines.map(plain)].join('\n');
}

function locate(file = 'SKILL.md', line = 1): string {
  return `${file}:${line}`;
}

function summarize(reports: readonly Report[]): string {
  const refused = reports.filter(({ passes }) => !passes).length;
  const noun = reports.length === 1 ? 'skill' : 'skills';
  return `${reports.length} ${noun} checked, ${refused} refused.`;
}

const levels = { error: 'error', warning: 'warning', info: 'notice' } as const;

/** A workflow command: https://docs.github.com/actions/reference/workflow-commands-for-github-actions. */
function annotate({ path }: Report) {
  return ({ severity, code, message, fix, line = 1, file = 'SKILL.md' }: SkillDiagnostic) => {
    const where = `file=${escapeProperty(`${path}/${file}`)},line=${line},title=${code}`;
    return `::${levels[severity]} ${where}::${escapeData(fix ? `${message} ${fix}` : message)}`;
  };
}

function escapeData(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}

/** Without control characters, which could change what a terminal shows. */
function plain(text: string): string {
  return text.replace(/\p{Cc}/gu, ' ');
}
