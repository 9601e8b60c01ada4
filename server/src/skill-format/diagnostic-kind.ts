import type { Diagnostic } from '@knowhow/shared/skills';

/** What there is to know of a remark before it is made. */
export interface DiagnosticKind {
  severity: Diagnostic['severity'];
  /** Whether the Agent Skills specification (agentskills.io, 2026-08-09) forbids it. */
  breaksSpecification: boolean;
  /** Whether the specification's reference library, `skills-ref`, rejects the skill for it. */
  rejectedByReference: boolean;
  /** What it is, for the list in the documentation and wherever nothing more particular is said. */
  about: string;
  /** What to do about it. */
  fix: string;
}

export const warning = (about: string, fix: string): DiagnosticKind => ({
  severity: 'warning',
  breaksSpecification: true,
  rejectedByReference: true,
  about,
  fix,
});
export const error = (about: string, fix: string): DiagnosticKind => ({
  ...warning(about, fix),
  severity: 'error',
});
export const info = (about: string, fix: string): DiagnosticKind => ({
  severity: 'info',
  breaksSpecification: false,
  rejectedByReference: false,
  about,
  fix,
});
export const advice = (about: string, fix: string): DiagnosticKind => ({
  ...info(about, fix),
  severity: 'warning',
});
/** Breaks the specification, in a field that the reference library does not look at. */
export const unchecked = (about: string, fix: string): DiagnosticKind => ({
  ...warning(about, fix),
  rejectedByReference: false,
});

/** Allowed by the specification, and refused by the reference library all the same. */
export const refusedThere = (kind: DiagnosticKind): DiagnosticKind => ({
  ...kind,
  rejectedByReference: true,
});
