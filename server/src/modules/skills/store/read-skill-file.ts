import type { Stats } from 'node:fs';
import { readlink } from 'node:fs/promises';
import { basename, join, relative, sep } from 'node:path';
import type { SkillMessage } from '@knowhow/shared/skills/skill-messages';
import type { Diagnostic, SkillMessageText } from '@knowhow/shared/skills/skills';
import {
  diagnose,
  diagnoseName,
  maxSkillFileBytes,
  parseSkill,
  reveal,
} from '@knowhow/skill-format';
import { pacedReadFile, pacedStat } from '../../../platform/lib/paced-fs.ts';
import { resolveInside } from '../../../platform/lib/resolve-inside.ts';
import type { FolderEntry } from './folder-entry.ts';
import { type FolderSource, type FoundInFolder, pathInside } from './folder-skill.ts';

/** Longer than any path, and shorter than nearly any skill. */
const maxLinkBytes = 512;

/**
 * Reads the `SKILL.md` of a folder. Never throws: a folder, a device, a link out of the source or a
 * deleted file is reported as a diagnostic.
 */
export async function readSkillFile(
  source: FolderSource,
  directory: string,
  entry: FolderEntry,
  stats: Stats,
): Promise<FoundInFolder> {
  const broken = (diagnostic: Diagnostic): FoundInFolder => ({
    source,
    path: pathInside(source, directory),
    diagnostic,
  });
  try {
    const path = directory + sep + entry.name;
    const file = entry.isLink
      ? await resolveInside(source.directory, relative(source.directory, path))
      : path;
    if (file === undefined) {
      // A dangling link: `statFile` reported the link itself.
      return broken(stats.isSymbolicLink() ? leadsNowhere(await readlink(path)) : leadsOut);
    }
    if (!stats.isFile() || stats.size > maxSkillFileBytes) {
      return broken(stats.isFile() ? diagnose('too-large') : unreadable('unreadable-no-file'));
    }
    const bytes = await pacedReadFile(file);
    const link = linkIn(bytes);
    const target = link && (await linkTarget(source, directory, link));
    const { skill } = parseSkill(target ? await pacedReadFile(target) : bytes, basename(directory));
    const found = [
      ...(entry.name === 'SKILL.md' ? [] : [diagnoseName(entry.name)]),
      ...(target ? [diagnose('flattened-symlink')] : []),
    ];
    const parsed = link && !target ? skill.diagnostics.map(namingTarget(link)) : skill.diagnostics;
    const diagnostics = found.length > 0 ? [...found, ...parsed] : parsed;
    // A spread would cost more time and memory than everything before.
    return Object.assign(skill, {
      diagnostics,
      source,
      path: pathInside(source, directory),
      // Omitted for the default path, to save memory with thousands of skills.
      file: target ?? (file === path && entry.name === 'SKILL.md' ? undefined : file),
      updatedAt: stats.mtimeMs,
    });
  } catch (error) {
    return broken(
      error instanceof Error && 'code' in error
        ? unreadable('unreadable-error-code', { error: String(error.code) })
        : unreadable('unreadable-error'),
    );
  }
}

function unreadable(text: SkillMessage, values?: SkillMessageText['values']): Diagnostic {
  return diagnose('unreadable', { text, fix: 'check-file', values });
}

const leadsOut = diagnose('unreadable', { text: 'unreadable-leads-out', fix: 'put-file' });

function leadsNowhere(target: string): Diagnostic {
  const values = { target: reveal(target) };
  return diagnose('unreadable', { text: 'unreadable-leads-nowhere', fix: 'put-file', values });
}

/**
 * Replaces diagnostics about missing frontmatter if the file is just the path of a missing file.
 */
function namingTarget(link: string): (diagnostic: Diagnostic) => Diagnostic {
  const said = {
    text: 'frontmatter-missing-path',
    fix: 'put-file',
    values: { target: reveal(link) },
  } as const;
  return (diagnostic) =>
    diagnostic.code === 'frontmatter-missing'
      ? diagnose('frontmatter-missing', { ...said, line: diagnostic.line })
      : diagnostic;
}

/** The path in a file that an archive created from a symbolic link. */
function linkIn(bytes: Buffer): string | undefined {
  const text = bytes.length <= maxLinkBytes ? bytes.toString().trim() : '';
  return /^[^\s:#]+\.md$/i.test(text) ? text : undefined;
}

async function linkTarget(
  { directory: root }: FolderSource,
  directory: string,
  link: string,
): Promise<string | undefined> {
  const target = await resolveInside(root, relative(root, join(directory, link)));
  return target && (await pacedStat(target)).isFile() ? target : undefined;
}
