import type { Stats } from 'node:fs';
import { readlink } from 'node:fs/promises';
import { basename, join, relative, sep } from 'node:path';
import type { Diagnostic } from '@knowhow/shared/skills';
import { pacedReadFile, pacedStat } from '../lib/paced-fs.ts';
import { resolveInside } from '../lib/resolve-inside.ts';
import {
  diagnose,
  diagnoseName,
  maxSkillFileBytes,
  parseSkill,
  reveal,
} from '../skill-format/skill-format.ts';
import type { FolderEntry } from './folder-entry.ts';
import type { FoundSkill } from './skill-snapshot.ts';
import type { SkillSource } from './skill-source.ts';

/** No path is longer, and hardly a skill is that short. */
const maxLinkBytes = 512;

/**
 * Reads the `SKILL.md` of a folder. Never throws: a folder, a device, a link out of the source or a
 * file that has just gone is told as a diagnostic.
 */
export async function readSkillFile(
  source: SkillSource,
  directory: string,
  entry: FolderEntry,
  stats: Stats,
): Promise<FoundSkill> {
  const broken = (diagnostic: Diagnostic): FoundSkill => ({ directory, source, diagnostic });
  try {
    const path = directory + sep + entry.name;
    const file = entry.isLink
      ? await resolveInside(source.directory, relative(source.directory, path))
      : path;
    if (file === undefined) {
      // What the link itself is was told because there is nothing it leads to.
      return broken(stats.isSymbolicLink() ? leadsNowhere(await readlink(path)) : leadsOut);
    }
    if (!stats.isFile() || stats.size > maxSkillFileBytes) {
      return broken(stats.isFile() ? diagnose('too-large') : unreadable('SKILL.md is no file.'));
    }
    const bytes = await pacedReadFile(file);
    const link = linkIn(bytes);
    const target = link && (await linkTarget(source, directory, link));
    const { skill } = parseSkill(target ? await pacedReadFile(target) : bytes, basename(directory));
    const found = [
      ...(entry.name === 'SKILL.md' ? [] : [diagnoseName(entry.name)]),
      ...(target ? [diagnose('flattened-symlink')] : []),
    ];
    const own = link && !target ? skill.diagnostics.map(namingTarget(link)) : skill.diagnostics;
    const diagnostics = found.length > 0 ? [...found, ...own] : own;
    // A spread would cost more time and memory than all before.
    return Object.assign(skill, {
      diagnostics,
      directory,
      file: target ?? file,
      source,
      updatedAt: stats.mtimeMs,
    });
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : '';
    return broken(unreadable(`SKILL.md cannot be read${code}.`));
  }
}

function unreadable(message: string): Diagnostic {
  const fix = 'Check that it is a readable file of this folder.';
  return diagnose('unreadable', { message, fix });
}

const leadsOut = diagnose('unreadable', {
  message: 'SKILL.md is a link that leads out of its source.',
  fix: 'Put the file itself here.',
});

function leadsNowhere(target: string): Diagnostic {
  return diagnose('unreadable', {
    message: `SKILL.md is a link to "${reveal(target)}", which is not there.`,
    fix: 'Put the file itself here.',
  });
}

/** What has no frontmatter because it is only the path of a file that is missing. */
function namingTarget(link: string): (diagnostic: Diagnostic) => Diagnostic {
  const message = `SKILL.md holds only the path of another file, "${reveal(link)}", which is not in the source.`;
  return (diagnostic) =>
    diagnostic.code === 'frontmatter-missing'
      ? { ...diagnostic, message, fix: 'Put the file itself here.' }
      : diagnostic;
}

/** An archive turns a symbolic link into a file that holds nothing but the path. */
function linkIn(bytes: Buffer): string | undefined {
  const text = bytes.length <= maxLinkBytes ? bytes.toString().trim() : '';
  return /^[^\s:#]+\.md$/i.test(text) ? text : undefined;
}

async function linkTarget(
  { directory: root }: SkillSource,
  directory: string,
  link: string,
): Promise<string | undefined> {
  const target = await resolveInside(root, relative(root, join(directory, link)));
  return target && (await pacedStat(target)).isFile() ? target : undefined;
}
