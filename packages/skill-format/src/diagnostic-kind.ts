import type { Diagnostic } from '@knowhow/shared/skills/skills';

/** Static properties of a diagnostic. */
export interface DiagnosticKind {
  severity: Diagnostic['severity'];
  /** Whether it violates the Agent Skills specification (agentskills.io, 2026-08-09). */
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

/** Violates the specification, in a field that the reference library does not check. */
export const unchecked = {
  ...warning,
  rejectedByReference: false,
} as const satisfies DiagnosticKind;

/** Allowed by the specification, but rejected by the reference library. */
export const refusedThere = (kind: DiagnosticKind): DiagnosticKind => ({
  ...kind,
  rejectedByReference: true,
});
