import type { Diagnostic } from '@knowhow/shared/skills/skills';
import { decodeText } from './decode-text.ts';
import { diagnose } from './diagnostics.ts';
import { reveal } from './hidden-characters.ts';
import { importedModules } from './imported-modules.ts';
import { type FileDiagnostic, inspectFiles } from './inspect-files.ts';
import { judgeImports } from './judge-imports.ts';
import { judgeReferences } from './judge-references.ts';
import type { PackedFile } from './packed-file.ts';
import { readSkillDocument } from './read-skill-document.ts';

/** Maximum number of listed diagnostics for all files of a skill together. */
export const maxListed = 50;

/** Diagnoses the files of a skill that is not on the disk, beyond parsing its `SKILL.md`. */
export function diagnosePacked(id: string, files: readonly PackedFile[]): Diagnostic[] {
  const paths = files.map(({ path }) => path);
  const main = files.find(isSkillFile);
  const missing = main ? diagnoseReferences(main.bytes, { id, files: paths }) : [];
  return [...diagnoseFiles(files).slice(0, maxListed), ...diagnoseImports(files), ...missing];
}

/** Modules that the code of a skill imports and that are not in its folder. */
export function diagnoseImports(files: readonly PackedFile[]): Diagnostic[] {
  const importing = files.map((file) => ({ path: file.path, modules: importedModules(file) }));
  return judgeImports(
    importing,
    files.map(({ path }) => path),
  );
}

/** Hidden characters and possible secrets in text files. */
export function diagnoseFiles(files: readonly PackedFile[]): Diagnostic[] {
  return inspectFiles(files).flatMap(({ path, diagnostics }) =>
    diagnostics.filter(isReported).map((diagnostic) => asDiagnostic({ path }, diagnostic)),
  );
}

/** Files that a `SKILL.md` names and that are missing in its folder. */
export function diagnoseReferences(
  bytes: Uint8Array,
  folder: { id: string; files: readonly string[] },
): Diagnostic[] {
  const { body } = readSkillDocument(bytes);
  const lines = decodeText(bytes, []).split('\n').length;
  return judgeReferences(
    { text: body, firstLine: Math.max(1, lines - body.split('\n').length + 1) },
    folder,
  );
}

/** Whether it is the `SKILL.md`, in any case. */
export function isSkillFile({ path }: { path: string }): boolean {
  return path.toLowerCase() === 'skill.md';
}

function asDiagnostic(
  file: { path: string },
  { code, text, values, line }: FileDiagnostic,
): Diagnostic {
  // Line numbers refer to SKILL.md.
  const location = isSkillFile(file) ? { line } : { file: reveal(file.path) };
  const kind = code === 'looks-like-secret' ? code : 'hidden-characters';
  return diagnose(kind, { text, values, ...location });
}

function isReported({ code }: FileDiagnostic): boolean {
  return code === 'hidden-characters' || code === 'looks-like-secret';
}
