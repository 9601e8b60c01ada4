import { skillFixes } from '@knowhow/shared/skills/skill-fixes';
import { skillMessages } from '@knowhow/shared/skills/skill-messages';
import {
  type DiagnosticCode,
  type DiagnosticKind,
  diagnosticKinds,
} from '../modules/skills/format/skill-format.ts';

const introduction = `# Diagnostics on skills

Every diagnostic that reading a \`SKILL.md\` may leave, in the administration and in \`knowhow validate\`.
A diagnostic of severity *error* keeps the skill from being offered. *Specification* says what breaks
the Agent Skills specification; *strict* says what its reference library rejects, and
\`knowhow validate --strict\` with it.

This page is made from the code: \`npx knowhow diagnostics > docs/diagnostics.md\`.
`;

/** The documentation page that lists all diagnostics. */
export function renderDiagnosticsPage(): string {
  const kinds = Object.entries(diagnosticKinds) as [DiagnosticCode, DiagnosticKind][];
  const rows = kinds.map(([code, kind]) => {
    const breaks = kind.breaksSpecification ? 'breaks' : '';
    const rejected = kind.rejectedByReference ? 'rejected' : '';
    const texts = `${skillMessages[code]} | ${skillFixes[code]}`;
    return `| \`${code}\` | ${kind.severity} | ${breaks} | ${rejected} | ${texts} |`;
  });
  const head = '| code | severity | specification | strict | what it is | what to do |';
  return [introduction, head, '|---|---|---|---|---|---|', ...rows].join('\n');
}
