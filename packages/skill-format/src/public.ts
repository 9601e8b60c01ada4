import type { Diagnostic } from '@knowhow/shared/skills/skills';
import { diagnosePacked, isSkillFile } from './diagnose-files.ts';
import { diagnosticKinds, passesReference } from './diagnostics.ts';
import { diagnoseName, isOfFileName } from './file-name-diagnostic.ts';
import { fixSkill, isFixable } from './fix-skill.ts';
import { judgeStrictly } from './judge-strictly.ts';
import { parseSkill } from './parse-skill.ts';

// The API of the published package. Its types are written out, so that they need no other package.

/** A file of a skill. */
export interface SkillFile {
  /** Relative to the skill's folder, with forward slashes. */
  path: string;
  bytes: Uint8Array;
  /** Default: false. */
  executable?: boolean;
}

/** A finding on a skill. */
export interface SkillDiagnostic {
  /** Stable identifier, such as `name-directory-mismatch`. */
  code: string;
  /** A skill with an error cannot be used. */
  severity: 'error' | 'warning' | 'info';
  /** The fault, in English. Begins with the path if it is not about `SKILL.md`. */
  message: string;
  /** The remedy, in English. */
  fix?: string;
  /** The file that it is about, if it is not `SKILL.md`. */
  file?: string;
  /** Line of the file, from 1. */
  line?: number;
  /** Whether `fixSkillFile` removes it. */
  isFixable: boolean;
}

/** A parsed and checked skill. */
export interface CheckedSkill {
  /** The name by which it is used: lower-case letters, digits and hyphens. */
  name: string;
  /** A name for people. */
  displayName: string;
  description: string;
  /** The instructions: the text after the frontmatter. */
  body: string;
  license?: string;
  compatibility?: string;
  allowedTools: readonly string[];
  /** The entries below `metadata`, as texts. */
  metadata: Readonly<Record<string, string>>;
  /** Whether it conforms to the Agent Skills specification. */
  isValid: boolean;
  /** Whether it can be used, because it has no error. */
  isUsable: boolean;
  /** Whether the reference library `skills-ref` would accept it. */
  passesReference: boolean;
  diagnostics: readonly SkillDiagnostic[];
}

/**
 * Parses and checks a skill. Never throws: a file that cannot be read has a diagnostic with severity `error`.
 *
 * @param folder the name of the skill's folder, which has to be its name
 * @param files all files of the skill; those beyond `SKILL.md` are searched for hidden characters, possible
 *   secrets, and references to files that do not exist
 */
export function checkSkill(folder: string, files: readonly SkillFile[]): CheckedSkill {
  const packed = files.map(({ executable = false, ...file }) => ({ ...file, executable }));
  const main = packed.find(isSkillFile);
  const bytes = main?.bytes ?? new Uint8Array();
  const { skill, body } = parseSkill(bytes, folder);
  const found: Diagnostic[] = [
    ...(main && main.path !== 'SKILL.md' ? [diagnoseName(main.path)] : []),
    ...skill.diagnostics,
    ...diagnosePacked(skill.id, packed),
    ...judgeStrictly(bytes),
  ];
  const { license, compatibility } = skill;
  return {
    name: skill.id,
    displayName: skill.displayName,
    description: skill.description,
    body,
    ...(license === undefined ? {} : { license }),
    ...(compatibility === undefined ? {} : { compatibility }),
    allowedTools: skill.allowedTools,
    metadata: skill.metadata,
    isValid: skill.valid,
    isUsable: skill.enabledByDefault,
    passesReference: passesReference(found),
    diagnostics: found.map((diagnostic) => toPublic(diagnostic, skill.description)),
  };
}

/** A fixed `SKILL.md`. */
export interface FixedSkillFile {
  bytes: Uint8Array;
  /** Codes of the diagnostics that were fixed, in order. */
  fixed: readonly string[];
}

/** A fix may reveal another finding, but not endlessly. */
const maxFixes = 40;

/**
 * Fixes everything in a `SKILL.md` that needs no decision of a person, such as encodings, invalid YAML, and a
 * name that differs from the folder. Keeps the body. Never throws.
 *
 * @param folder the name of the skill's folder
 */
export function fixSkillFile(folder: string, bytes: Uint8Array): FixedSkillFile {
  const fixed: string[] = [];
  let current = bytes;
  while (fixed.length < maxFixes) {
    const { skill } = parseSkill(current, folder);
    const next = skill.diagnostics.find(
      ({ code }) =>
        !fixed.includes(code) && !isOfFileName(code) && isFixable(code, skill.description),
    );
    const text = next && fixSkill(current, skill.id, next.code);
    if (!next || text === undefined) {
      break;
    }
    current = new TextEncoder().encode(text);
    fixed.push(next.code);
  }
  return { bytes: current, fixed };
}

/** Codes of all diagnostics, with their severities. */
export const diagnosticCodes: Readonly<Record<string, SkillDiagnostic['severity']>> =
  Object.fromEntries(
    Object.entries(diagnosticKinds).map(([code, { severity }]) => [code, severity]),
  );

function toPublic(
  { code, severity, message, fix, file, line }: Diagnostic,
  description: string,
): SkillDiagnostic {
  return {
    code,
    severity,
    message,
    ...(fix === undefined ? {} : { fix }),
    ...(file === undefined ? {} : { file }),
    ...(line === undefined ? {} : { line }),
    isFixable: isFixable(code, description) && !isOfFileName(code),
  };
}
