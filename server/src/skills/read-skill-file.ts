import { readFile, stat } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import type { Diagnostic } from '@knowhow/shared/skills';
import { resolveInside } from '../lib/resolve-inside.ts';
import { type DiagnosticCode, diagnose } from './diagnostics.ts';
import { parseSkill } from './parse-skill.ts';
import type { Skill } from './skill.ts';

/** What a `SKILL.md` turned out to be. */
export type SkillFileResult =
  | { state: 'read'; skill: Skill; file: string }
  | { state: 'unreadable'; diagnostic: Diagnostic };

const maxBytes = 4 * 1024 * 1024;

/**
 * Reads the `SKILL.md` of a folder. Never throws: a folder, a device, a link out of the source or a
 * file that has just gone is told as a diagnostic.
 *
 * @param root the source it belongs to
 * @param name as it is spelled on disk
 */
export async function readSkillFile(
  root: string,
  directory: string,
  name: string,
): Promise<SkillFileResult> {
  try {
    const file = await resolveInside(root, relative(root, join(directory, name)));
    if (file === undefined) {
      return unreadable('unreadable-link');
    }
    const bytes = await readRegularFile(file);
    if (typeof bytes === 'string') {
      return unreadable(bytes);
    }
    const target = await linkTarget(root, directory, bytes);
    const found: Diagnostic[] = [
      ...(name === 'SKILL.md'
        ? []
        : [diagnose('filename-case', { message: `The file is named ${name}.` })]),
      ...(target ? [diagnose('flattened-symlink')] : []),
    ];
    const read = target ? await readFile(target) : bytes;
    const { skill } = parseSkill(read, basename(directory));
    return {
      state: 'read',
      skill: { ...skill, diagnostics: [...found, ...skill.diagnostics] },
      file: target ?? file,
    };
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : '';
    return unreadable('unreadable', `SKILL.md cannot be read${code}.`);
  }
}

function unreadable(code: DiagnosticCode, message?: string): SkillFileResult {
  return { state: 'unreadable', diagnostic: diagnose(code, message ? { message } : {}) };
}

async function readRegularFile(file: string): Promise<Buffer | 'unreadable' | 'too-large'> {
  const state = await stat(file);
  if (!state.isFile()) {
    return 'unreadable';
  }
  return state.size > maxBytes ? 'too-large' : readFile(file);
}

/** An archive turns a symbolic link into a file that holds nothing but the path. */
async function linkTarget(
  root: string,
  directory: string,
  bytes: Buffer,
): Promise<string | undefined> {
  const text = bytes.length <= 512 ? bytes.toString().trim() : '';
  if (!/^[^\s:#]+\.md$/i.test(text)) {
    return undefined;
  }
  const path = relative(root, join(directory, dirname(text), basename(text)));
  const target = await resolveInside(root, path);
  return target && (await stat(target)).isFile() ? target : undefined;
}
