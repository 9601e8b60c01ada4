import { isSkillName, slug } from '@knowhow/shared/skills/skill-name';
import type { SkillOrigin } from '@knowhow/shared/skills/skill-origin';
import type { Diagnostic } from '@knowhow/shared/skills/skills';
import {
  diagnose,
  judgeNewSkill,
  type PackedFile,
  parseSkill,
  readSkillDocument,
  renameSkill,
  type Skill,
  type SourceSkill,
} from '../../skills/index.ts';
import { findSkillNameIssue } from './new-skill-name.ts';
import { mainFile } from './skill-edits.ts';

/** A skill of an uploaded archive, prepared for installation. */
export interface PreparedSkill {
  /** Its id and folder. */
  name: string;
  root: string;
  skill: Skill;
  body: string;
  files: PackedFile[];
  /** The same before a new name was written to its `SKILL.md`. */
  filesBeforeRename: PackedFile[];
  diagnostics: Diagnostic[];
  /** Why it is rejected. */
  refusals: Diagnostic[];
  renamable: boolean;
  /** Source of the conversion, if it was not a skill. */
  origin?: SkillOrigin | undefined;
}

/**
 * Validates a skill of an archive as strictly as a new one. The name in its `SKILL.md` determines
 * the folder; a requested new name is written to the file.
 */
export function prepareSkill(
  { folder, root, files, diagnostics: repairs, origin }: SourceSkill,
  newName: string | undefined,
  maxSkillBodyTokens: number | undefined,
): PreparedSkill {
  const main = mainFile(files);
  const bytes = newName === undefined ? main.bytes : Buffer.from(renameSkill(main.bytes, newName));
  const ownName = readSkillDocument(bytes).fields.get('name')?.text?.trim();
  const name = newName ?? nameFor(ownName, folder);
  const { skill, body } = parseSkill(bytes, name);
  const verdict = judgeNewSkill({ diagnostics: skill.diagnostics, body }, maxSkillBodyTokens);
  // Errors of a failed conversion.
  const conversionErrors = repairs.filter(({ severity }) => severity === 'error');
  const refusals = [...verdict.refusals, ...conversionErrors];
  const renamable = verdict.renamable && conversionErrors.length === 0;
  const others = files.filter((file) => file !== main);
  const moved = ownName !== undefined && folder !== name && isSkillName(ownName);
  return {
    name,
    root,
    skill,
    body,
    files: [{ ...main, path: 'SKILL.md', bytes }, ...others],
    filesBeforeRename: [{ ...main, path: 'SKILL.md' }, ...others],
    diagnostics: [
      ...repairs,
      ...(moved ? [renamedFolder(folder, name)] : []),
      ...skill.diagnostics,
    ],
    refusals: [...refusals, ...refusedName(name, refusals)],
    renamable: renamable || (refusals.length === 0 && findSkillNameIssue(name) !== undefined),
    origin,
  };
}

/** All diagnostics of a skill; reasons for rejection become errors. */
export function diagnosticsOn({
  diagnostics,
  refusals,
}: Pick<PreparedSkill, 'diagnostics' | 'refusals'>): Diagnostic[] {
  const known = new Set(diagnostics.map(({ code }) => code));
  const refused = new Set(refusals.map(({ code }) => code));
  return [...diagnostics, ...refusals.filter(({ code }) => !known.has(code))].map((each) =>
    refused.has(each.code) ? { ...each, severity: 'error' } : each,
  );
}

/** Skills whose name another skill of the archive already has. */
export function namedTwice(
  prepared: readonly PreparedSkill[],
): { skill: PreparedSkill; code: string; message: string }[] {
  const first = new Map(prepared.toReversed().map((each) => [each.name, each]));
  return prepared
    .filter((each) => first.get(each.name) !== each)
    .map((skill) => ({
      skill,
      code: 'name-twice',
      message: `Another skill of the archive is named "${skill.name}" too. Rename one, or leave it out.`,
    }));
}

/** The name in the file if it is valid, otherwise a slug of it or of the folder. */
function nameFor(ownName: string | undefined, folder: string): string {
  return slug(ownName ?? '') || slug(folder) || 'skill';
}

function renamedFolder(folder: string, name: string): Diagnostic {
  const values = { folder, name };
  return diagnose('name-directory-mismatch', { text: 'name-of-frontmatter', values });
}

/** A valid name may still be impossible as a folder on some systems. */
function refusedName(name: string, refusals: readonly Diagnostic[]): Diagnostic[] {
  const fault = findSkillNameIssue(name);
  return fault === undefined || refusals.some(({ code }) => code.startsWith('name-'))
    ? []
    : [diagnose('name-invalid', fault)];
}
