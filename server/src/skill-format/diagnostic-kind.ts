import type { Diagnostic } from '@knowhow/shared/skills/skills';

/** What there is to know of a diagnostic before it is made. */
export interface DiagnosticKind {
  severity: Diagnostic['severity'];
  /** Whether the Agent Skills specification (agentskills.io, 2026-08-09) forbids it. */
  breaksSpecification: boolean;
  /** Whether the specification's reference library, `skills-ref`, rejects the skill for it. */
  rejectedByReference: boolean;
}

export const warning = {
  severity: 'warning',
  breaksSpecification: true,
  rejectedByReference: true,
} as const satisfies DiagnosticKind;

export const error = { ...warning, severity: 'error' } as const satisfies DiagnosticKind;

export const info = {
  severity: 'info',
  breaksSpecification: false,
  rejectedByReference: false,
} as const satisfies DiagnosticKind;

export const advice = { ...info, severity: 'warning' } as const satisfies DiagnosticKind;

/** Breaks the specification, in a field that the reference library does not look at. */
export const unchecked = {
  ...warning,
  rejectedByReference: false,
} as const satisfies DiagnosticKind;

/** Allowed by the specification, and refused by the reference library all the same. */
export const refusedThere = (kind: DiagnosticKind): DiagnosticKind => ({
  ...kind,
  rejectedByReference: true,
});
