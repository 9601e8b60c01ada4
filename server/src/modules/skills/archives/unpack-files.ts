import { posix } from 'node:path';
import type { Diagnostic } from '@knowhow/shared/skills/skills';
import { diagnose, diagnoseName, type PackedFile } from '../format/skill-format.ts';
import type { FileEntry, MemberEntry, UnpackEntry } from './unpack-entry.ts';
import { type ArchiveIssue, fileTooLarge, type ReportIssue } from './unpack-faults.ts';
import { inMebibytes, type SizeLimits } from './unpack-limits.ts';
import { followLink } from './unpack-links.ts';
import { isSkillFile } from './unpack-roots.ts';

interface Skill {
  /** Its folder in the archive, empty for the root. */
  root: string;
  members: readonly MemberEntry[];
  /** All entries of the archive by name. */
  tree: ReadonlyMap<string, UnpackEntry>;
  limits: SizeLimits;
}

/** The files of one skill. */
export interface SkillFiles {
  /** Relative to its folder. `SKILL.md` is normalized to this name. */
  files: PackedFile[];
  /** Repairs that were necessary to read its `SKILL.md`. */
  diagnostics: Diagnostic[];
}

/** Reads the files of one skill, with links as copies of their targets. Reports exceeded limits. */
export function unpackFiles(skill: Skill, report: ReportIssue): SkillFiles {
  const { root, members, limits } = skill;
  if (members.length > limits.files) {
    report(root, tooManyFiles(limits));
    return { files: [], diagnostics: [] };
  }
  const files: PackedFile[] = [];
  const diagnostics: Diagnostic[] = [];
  let size = 0;
  for (const member of members) {
    const source = sourceOf(member, skill);
    if ('code' in source) {
      report(member.name, source);
      continue;
    }
    size += source.size;
    if (size > limits.bytes) {
      report(root, skillTooLarge(limits));
      break;
    }
    const path = root === '' ? member.name : member.name.slice(root.length + 1);
    const { executable } = source;
    const isMain = isSkillFile(path);
    const bytes = isMain ? skillFile(source, skill, diagnostics) : source.read();
    if (bytes) {
      files.push({ path: isMain ? 'SKILL.md' : path, bytes, executable });
    }
    if (isMain && path !== 'SKILL.md') {
      diagnostics.unshift(diagnoseName(path, 'filename-becomes'));
    }
  }
  return { files, diagnostics };
}

function tooManyFiles({ files }: SizeLimits): ArchiveIssue {
  const max = files === 1 ? 'one file' : `${files} files`;
  return { code: 'too-many-files', message: `The skill has more than ${max}.` };
}

function skillTooLarge({ bytes }: SizeLimits): ArchiveIssue {
  const message = `The files of the skill have more than ${inMebibytes(bytes)} together.`;
  return { code: 'skill-too-large', message };
}

function sourceOf(member: MemberEntry, { root, tree, limits }: Skill): FileEntry | ArchiveIssue {
  const source = member.kind === 'file' ? member : followLink(member, root, tree);
  const isTooLarge = 'size' in source && source.size > limits.fileBytes;
  return isTooLarge ? fileTooLarge(limits.fileBytes) : source;
}

/** Longer than any path, and shorter than nearly any skill. */
const maxFlattenedBytes = 512;

/**
 * Systems without symbolic links pack a link as a file that contains just its target: this returns
 * the target instead.
 */
function skillFile(
  entry: FileEntry,
  { root, tree, limits }: Skill,
  diagnostics: Diagnostic[],
): Uint8Array | undefined {
  const bytes = entry.read();
  const text =
    bytes && bytes.length <= maxFlattenedBytes ? Buffer.from(bytes).toString().trim() : '';
  const target = /^[^\s:#]+\.md$/i.test(text) ? tree.get(posix.join(root, text)) : undefined;
  if (target?.kind !== 'file' || target.size > limits.fileBytes) {
    return bytes;
  }
  diagnostics.push(diagnose('flattened-symlink'));
  return target.read();
}
