import { posix } from 'node:path';
import type { Diagnostic } from '@knowhow/shared/skills/skills';
import { diagnose, diagnoseName, findPathIssue, type PackedFile } from '@knowhow/skill-format';
import { ignore } from '../../../platform/lib/ignore.ts';
import type { FileEntry, LinkEntry, MemberEntry, UnpackEntry } from './unpack-entry.ts';
import { type ArchiveIssue, fileTooLarge, type ReportIssue } from './unpack-faults.ts';
import { inMebibytes, type SizeLimits } from './unpack-limits.ts';
import { findEntryNameIssue, reportCollisions } from './unpack-names.ts';
import { isSkillFile } from './unpack-roots.ts';

/** The files of a skill of an archive. */
export interface UnpackedFiles extends SkillFiles {
  /** The skill's folder in the archive, empty for the root. */
  root: string;
}

interface Skill {
  /** Its folder in the archive, empty for the root. */
  root: string;
  /** Its files, links and folders. */
  entries: readonly UnpackEntry[];
  /** All entries of the archive by name. */
  tree: ReadonlyMap<string, UnpackEntry>;
  limits: SizeLimits;
}

export interface ArchivedSkill extends UnpackedFiles {
  /** The proposed folder name. */
  folder: string;
}

/** A skill that cannot be read. */
export interface RejectedFiles {
  /** Its folder, empty for the root. */
  root: string;
  /** Its `SKILL.md`, if that can be read. */
  main: Uint8Array | undefined;
  /** Its errors, as a sentence. */
  reason: string;
}

/** The files of one skill. */
interface SkillFiles {
  /** Relative to its folder. `SKILL.md` is normalized to this name. */
  files: PackedFile[];
  /** Repairs that were necessary to read its `SKILL.md`. */
  diagnostics: Diagnostic[];
}

/** Reads the files of one skill, with links as copies of their targets. Reports all issues. */
export function unpackSkill(skill: Skill, report: ReportIssue): UnpackedFiles {
  const { root, entries, limits } = skill;
  for (const { name } of entries) {
    const fault = findNameIssue(root === '' ? name : name.slice(root.length + 1));
    if (fault) {
      report(name, fault);
    }
  }
  reportCollisions(entries, report);
  const members = entries.filter((entry) => entry.kind !== 'folder');
  if (members.length > limits.files) {
    report(root, tooManyFiles(limits));
    return { root, files: [], diagnostics: [] };
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
    const path = root === '' ? member.name : member.name.slice(root.length + 1);
    const { executable } = source;
    const isMain = isSkillFile(path);
    const target = isMain ? findTarget(source, skill, report) : undefined;
    size += (target ?? source).size;
    if (size > limits.bytes) {
      report(root, skillTooLarge(limits));
      break;
    }
    if (target) {
      diagnostics.push(diagnose('flattened-symlink'));
    }
    const bytes = (target ?? source).read(report);
    if (bytes) {
      files.push({ path: isMain ? 'SKILL.md' : path, bytes, executable });
    }
    if (isMain && path !== 'SKILL.md') {
      diagnostics.unshift(diagnoseName(path, 'filename-becomes'));
    }
  }
  return { root, files, diagnostics };
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

type Folder = Pick<Skill, 'root' | 'tree' | 'limits'>;

/** Systems without symbolic links pack a link as a file that contains just its target. */
function findTarget(
  entry: FileEntry,
  { root, tree, limits }: Folder,
  report: ReportIssue,
): FileEntry | undefined {
  if (entry.size > maxFlattenedBytes) {
    return undefined;
  }
  const text = Buffer.from(entry.read(report) ?? [])
    .toString()
    .trim();
  const target = /^[^\s:#]+\.md$/i.test(text) ? tree.get(posix.join(root, text)) : undefined;
  return target?.kind === 'file' && target.size <= limits.fileBytes ? target : undefined;
}

/** The targets of such files, which may be outside of the skill. */
export function findFlattened(
  roots: readonly string[],
  tree: Skill['tree'],
  limits: SizeLimits,
): FileEntry[] {
  return roots.flatMap((root) => {
    const main = tree.get(posix.join(root, 'SKILL.md'));
    return main?.kind === 'file' ? (findTarget(main, { root, tree, limits }, ignore) ?? []) : [];
  });
}

const maxHops = 8;

/**
 * The file that a link leads to, through other links too, if all of them stay inside the skill's
 * folder.
 *
 * @param root the skill's folder in the archive, empty for its root
 */
function followLink(
  link: LinkEntry,
  root: string,
  entries: ReadonlyMap<string, UnpackEntry>,
): FileEntry | ArchiveIssue {
  let at = link;
  for (let hops = 0; hops < maxHops; hops += 1) {
    const path = targetPath(at);
    const isInside = path?.startsWith(root === '' ? '' : `${root}/`);
    if (path === undefined || !isInside) {
      return linkFaults.outside;
    }
    const target = entries.get(path);
    if (target?.kind !== 'link') {
      return target?.kind === 'file' ? target : linkFaults.nowhere;
    }
    at = target;
  }
  return linkFaults.circle;
}

/** Issues of links. */
const linkFaults = {
  outside: { code: 'link-outside', message: 'The link leads out of the folder of its skill.' },
  nowhere: { code: 'link-broken', message: 'The link does not lead to a file of its skill.' },
  circle: { code: 'link-broken', message: 'The link leads over too many others, or in a circle.' },
} satisfies Record<string, ArchiveIssue>;

/** Target of a link, relative to the root of the archive; undefined if it is outside. */
function targetPath({ name, target, isHard }: LinkEntry): string | undefined {
  const path = posix.normalize(isHard ? target : posix.join(posix.dirname(name), target));
  const isOutside = posix.isAbsolute(target) || path === '..' || path.startsWith('../');
  return isOutside || target.includes('\\') ? undefined : path;
}

/** Longer names are expensive to validate. */
const maxNameLength = 4096;

function findNameIssue(name: string): ArchiveIssue | undefined {
  return name.length > maxNameLength ? findPathIssue(name) : findEntryNameIssue(name);
}
