import { problem } from '@knowhow/shared/problem';
import { slug } from '@knowhow/shared/skills/skill-name';
import {
  editFields,
  type FieldTexts,
  findPathIssue,
  fixSkill,
  inMebibytes,
  isOfFileName,
  judgeNewSkill,
  type PackedFile,
  parseSkill,
  pathCollision,
  reveal,
  type SizeLimits,
} from '../../skills/index.ts';
import { diagnosticsToIssues } from './new-skill-name.ts';
import type { SkillAdmin } from './skill-admin.ts';
import type { FileWriter, SkillEdit } from './skill-edit.ts';

const main = 'SKILL.md';

/** Creates or replaces a file. */
export function writeFileEdit(
  { writer, sizeLimits }: { writer: FileWriter } & Pick<SkillAdmin, 'sizeLimits'>,
  path: string,
  bytes: Uint8Array,
): SkillEdit {
  checkPath(path);
  return {
    action: 'file-written',
    summary: path,
    write: async (folder, files) => {
      checkCollision(path, files);
      checkSizes(files, { path, bytes }, sizeLimits);
      if (path === main) {
        checkMain(files, bytes, folder);
      }
      await writer.writeFile(folder, path, bytes);
    },
  };
}

export function removeFileEdit(writer: FileWriter, path: string): SkillEdit {
  if (path === main) {
    throw problem('conflict', 'Without SKILL.md it is not a skill. Delete the skill instead.');
  }
  return {
    action: 'file-removed',
    summary: path,
    write: (folder) => writer.removeFile(folder, path),
  };
}

export function moveFileEdit(writer: FileWriter, from: string, to: string): SkillEdit {
  checkPath(to);
  if (from === main || to === main) {
    throw problem('conflict', 'SKILL.md keeps its name. Rename another file, or edit SKILL.md.');
  }
  return {
    action: 'file-moved',
    summary: `${from} → ${to}`,
    write: (folder, files) => {
      checkCollision(
        to,
        files.filter(({ path }) => path !== from),
      );
      return writer.moveFile(folder, from, to);
    },
  };
}

/** Fixes a diagnostic automatically, if possible. */
export function fixEdit(writer: FileWriter, name: string, code: string): SkillEdit {
  return {
    action: 'fixed',
    summary: code,
    write: async (folder, files) => {
      const file = mainFile(files);
      if (isOfFileName(code) && file.path !== main) {
        await writer.moveFile(folder, file.path, main);
        return;
      }
      const fixed = fixSkill(file.bytes, name, code);
      if (fixed === undefined) {
        throw problem('conflict', `"${code}" cannot be fixed automatically. Edit SKILL.md.`);
      }
      await writer.writeFile(folder, file.path, Buffer.from(fixed));
    },
  };
}

/** Changes fields of the frontmatter. Errors name the field. */
export function fieldsEdit(writer: FileWriter, texts: FieldTexts): SkillEdit {
  return {
    action: 'fields-changed',
    summary: Object.keys(texts).join(', '),
    write: async (folder, files) => {
      const file = mainFile(files);
      const edited = editFields(file.bytes, texts);
      if (edited === undefined) {
        const next = 'Fix it, or change the fields, in the editor.';
        throw problem('conflict', `The frontmatter cannot be changed by a form. ${next}`);
      }
      const bytes = Buffer.from(edited);
      checkFields(file.bytes, bytes, folder);
      await writer.writeFile(folder, file.path, bytes);
    },
  };
}

/** Throws `invalid-skill` for a new issue in a field. */
function checkFields(before: Uint8Array, after: Uint8Array, folder: string): void {
  const id = slug(folder.split('/').at(-1) ?? folder);
  const judge = (bytes: Uint8Array) =>
    parseSkill(bytes, id).skill.diagnostics.filter(({ code }) => fieldOf(code) !== undefined);
  const known = new Set(judge(before).map(({ message }) => message));
  const faults = judge(after).filter(({ message }) => !known.has(message));
  if (faults.length > 0) {
    throw problem('invalid-skill', faults.map(({ message }) => message).join(' '), {
      issues: faults.map(({ code, message }) => ({ path: fieldOf(code) ?? main, code, message })),
    });
  }
}

/** The field of a diagnostic such as `tags-invalid`. */
function fieldOf(code: string): string | undefined {
  return ['tags', 'license', 'compatibility'].find((field) => code.startsWith(`${field}-`));
}

/** `SKILL.md`, in any case. */
export function mainFile(files: readonly PackedFile[]): PackedFile {
  const file =
    files.find(({ path }) => path === main) ??
    files.find(({ path }) => path.toLowerCase() === 'skill.md');
  if (!file) {
    throw problem('not-found', 'There is no SKILL.md in the folder.');
  }
  return file;
}

function checkPath(path: string): void {
  const fault = findPathIssue(path);
  if (fault) {
    throw problem('invalid-request', `${fault.message} Choose another path.`, {
      issues: [{ path: 'path', ...fault }],
    });
  }
}

/**
 * Throws `conflict` for a path that differs from another only in case or accents: many file systems treat them as the
 * same, and archives with both are rejected.
 */
export function checkCollision(path: string, others: readonly PackedFile[]): void {
  const found = pathCollision(
    path,
    others.map((file) => file.path),
  );
  if (found) {
    const message = `"${reveal(found.part)}" differs from "${reveal(found.other)}" in case or accents only; some file systems cannot keep both.`;
    throw problem('conflict', `${message} Choose another path, or the very name that is there.`, {
      issues: [{ path: 'path', code: 'name-collision', message }],
    });
  }
}

/**
 * Rejects a file above the limits. A skill that is already too large may be edited, but not grow.
 */
export function checkSizes(
  files: readonly PackedFile[],
  { path, bytes }: Pick<PackedFile, 'path' | 'bytes'>,
  limits: SizeLimits,
): void {
  const old = files.find((file) => file.path === path);
  const length = bytes.length;
  if (length > limits.fileBytes && length > (old?.bytes.length ?? 0)) {
    throw problem(
      'too-large',
      `A file of a skill has at most ${inMebibytes(limits.fileBytes)}. Shorten it, or split it into several.`,
    );
  }
  const before = sizeOf(files);
  const size = before - (old?.bytes.length ?? 0) + length;
  if ((!old && files.length >= limits.files) || (size > before && size > limits.bytes)) {
    throw problem(
      'too-large',
      `A skill has at most ${limits.files} files and ${inMebibytes(limits.bytes)}. Remove some first.`,
    );
  }
}

function sizeOf(files: readonly PackedFile[]): number {
  return files.reduce((sum, file) => sum + file.bytes.length, 0);
}

/** Throws `invalid-skill`. Existing issues may remain, but a save must not add any. */
export function checkMain(files: readonly PackedFile[], bytes: Uint8Array, folder: string): void {
  const judge = (content: Uint8Array) => {
    const { skill, body } = parseSkill(content, slug(folder.split('/').at(-1) ?? folder));
    return judgeNewSkill({ diagnostics: skill.diagnostics, body }).refusals;
  };
  const old = files.find(({ path }) => path === main);
  const known = new Set(old ? judge(old.bytes).map(({ code }) => code) : []);
  const added = judge(bytes).filter(({ code }) => !known.has(code));
  if (added.length > 0) {
    throw problem('invalid-skill', `${added[0]?.message} ${added[0]?.fix ?? ''}`.trim(), {
      issues: diagnosticsToIssues(main, added),
    });
  }
}
