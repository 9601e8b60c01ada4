import { fillIn } from '@knowhow/shared/fill-in';
import { type SkillFix, skillFixes } from '@knowhow/shared/skills/skill-fixes';
import type { SkillMessage } from '@knowhow/shared/skills/skill-messages';
import type { Diagnostic, SkillMessageText } from '@knowhow/shared/skills/skills';
import { createMessage } from './create-message.ts';
import {
  advice,
  type DiagnosticKind,
  error,
  info,
  refusedThere,
  unchecked,
  warning,
} from './diagnostic-kind.ts';

/**
 * All diagnostics on skills; their texts are in `skillMessages` and `skillFixes` under the same
 * code. A skill with an error is not offered.
 */
export const diagnosticKinds = {
  unreadable: error,
  'too-large': error,
  encoding: refusedThere(advice),
  utf16: refusedThere(advice),
  'byte-order-mark': refusedThere(info),
  'control-characters': info,
  'line-endings': info,
  'frontmatter-missing': error,
  'frontmatter-late': warning,
  'frontmatter-fenced': warning,
  'frontmatter-unopened': warning,
  'frontmatter-unclosed': warning,
  'frontmatter-engine-refused': error,
  'frontmatter-too-long': error,
  'frontmatter-unreadable': error,
  'yaml-duplicate-keys': warning,
  'yaml-tabs': warning,
  'yaml-quoted': warning,
  'yaml-unclosed': warning,
  'yaml-invalid': warning,
  'yaml-comment': advice,
  'merge-conflict': warning,
  'name-missing': warning,
  'name-invalid': warning,
  'name-directory-mismatch': warning,
  'description-missing': error,
  'description-in-body': warning,
  'description-too-long': warning,
  'description-shortened': info,
  'compatibility-invalid': warning,
  'compatibility-empty': unchecked,
  'metadata-invalid': unchecked,
  'metadata-not-text': info,
  'allowed-tools-invalid': unchecked,
  'license-invalid': unchecked,
  'unknown-field': refusedThere(info),
  'tags-invalid': info,
  'tags-too-many': info,
  'translation-tag-invalid': advice,
  'translation-twice': advice,
  'translation-too-long': advice,
  'translations-too-many': advice,
  'tools-missing': advice,
  'runtimes-missing': advice,
  'tool-code-off': info,
  'dependencies-missing': advice,
  'dependencies-off': advice,
  'dependencies-circular': advice,
  'body-empty': advice,
  'body-long': advice,
  'body-too-long': { ...advice, severity: 'error' },
  'hidden-characters': advice,
  'looks-like-secret': advice,
  'file-missing': advice,
  'module-outside': advice,
  'files-not-inspected': info,
  'filename-case': advice,
  'filename-mixed-case': refusedThere(advice),
  'flattened-symlink': refusedThere(advice),
  'link-left-out': advice,
  'name-left-out': advice,
  'strict-refused': refusedThere(info),
  'plugin-json-missing': error,
  'plugin-json-invalid': error,
  'plugin-inactive': info,
  'plugin-handler-missing': advice,
  'plugin-handler-export': advice,
  'plugin-hub-id-mismatch': advice,
  'plugin-entrypoint-missing': advice,
  'plugin-holds-values': advice,
  'source-too-large': error,
  'source-too-many-files': error,
  'source-refused': error,
  'files-refused': error,
  'flow-invalid': error,
  'flow-too-long': error,
  'flow-step-unknown': error,
  'typed-name-missing': error,
  'typed-kind-unknown': advice,
  'typed-config-invalid': advice,
  'typed-context-invalid': advice,
  'typed-import-unavailable': advice,
  'plugin-skill-missing': error,
  'same-name': error,
  'found-again': info,
  'assignments-dropped': advice,
} as const satisfies Partial<Record<SkillMessage & SkillFix, DiagnosticKind>>;

export type DiagnosticCode = keyof typeof diagnosticKinds;

interface Details {
  /** A more specific message than that of the code. */
  text?: SkillMessage | undefined;
  fix?: SkillFix | undefined;
  /** Values for the placeholders of both. */
  values?: SkillMessageText['values'];
  /** From 1, in the file. */
  line?: number | undefined;
  /** Put in front of the message, if it is not `SKILL.md`. */
  file?: string | undefined;
}

/** Creates a diagnostic. */
export function diagnose(code: DiagnosticCode, details: Details = {}): Diagnostic {
  const { text = code, fix = code, values, line, file } = details;
  const said = createMessage(text, values);
  return {
    code,
    severity: diagnosticKinds[code].severity,
    message: file === undefined ? said.message : `${file}: ${said.message}`,
    fix: fillIn(skillFixes[fix], values),
    ...(text === code ? {} : { text }),
    ...(fix === code ? {} : { fixText: fix }),
    ...(values ? { values } : {}),
    ...(file === undefined ? {} : { file }),
    ...(line === undefined ? {} : { line }),
  };
}

/** Whether a skill with these diagnostics conforms to the specification. */
export function conforms(diagnostics: readonly Diagnostic[]): boolean {
  return !diagnostics.some(
    ({ code }) => diagnosticKinds[code as DiagnosticCode].breaksSpecification,
  );
}

/** Whether the reference library would accept a skill with these diagnostics. */
export function passesReference(diagnostics: readonly Diagnostic[]): boolean {
  return !diagnostics.some(
    ({ code }) => diagnosticKinds[code as DiagnosticCode].rejectedByReference,
  );
}
