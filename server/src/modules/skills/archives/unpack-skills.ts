import { posix } from 'node:path';
import {
  type LeftOut,
  type LeftOutReason,
  summarizeLeftOut,
} from '@knowhow/shared/skills/left-out';
import type { Diagnostic } from '@knowhow/shared/skills/skills';
import { diagnose, diagnoseName, findPathIssue, type PackedFile } from '@knowhow/skill-format';
import type { FileEntry, LinkEntry, MemberEntry, UnpackEntry } from './unpack-entry.ts';
import { type ArchiveIssue, fileTooLarge, type ReportIssue } from './unpack-faults.ts';
import { inMebibytes, type SizeLimits } from './unpack-limits.ts';
import { findEntryNameIssue, plainName, reportCollisions } from './unpack-names.ts';
import {
  findSkillRoot,
  foldersAbove,
  isClutter,
  isSkillFile,
  leftOutEntry,
  type Roots,
  skillRoots,
} from './unpack-roots.ts';

/** The files of a skill of an archive. */
export interface UnpackedFiles extends SkillFiles {
  /** The skill's folder in the archive, empty for the root. */
  root: string;
}

/** The skills among the entries of an archive, and skipped entries. Reports all issues. */
export function unpackSkills(
  found: readonly UnpackEntry[],
  { limits, keepsOthers = false }: { limits: SizeLimits; keepsOthers?: boolean | undefined },
  report: ReportIssue,
): { skills: UnpackedFiles[]; leftOut: LeftOut[]; others: PackedFile[] } {
  const entries = plainEntries(found, report);
  const files = entries.filter(({ kind }) => kind !== 'folder').map(({ name }) => name);
  const roots = skillRoots(files);
  if (roots.size === 0 && !keepsOthers) {
    report('', noSkill);
  }
  for (const { name } of entries) {
    const root = findSkillRoot(roots, name);
    const fault = findEntryNameIssue(root ? name.slice(root.length + 1) : name);
    if (fault) {
      report(name, fault);
    }
  }
  const taken = entries.filter(({ name }) => !isClutter(name));
  reportCollisions(taken, report);
  const members = bySkill(taken, roots);
  const outside = readOutside(members.get(undefined) ?? [], limits, report);
  const tree = new Map(taken.map((entry) => [entry.name, entry]));
  const skills = [...roots].map((root) => ({
    root,
    ...unpackFiles({ root, members: members.get(root) ?? [], tree, limits }, report),
  }));
  const others = keepsOthers ? outside : [];
  return { skills, leftOut: leftOutOf(entries, { roots, others, limits }), others };
}

/** Entries that are in no skill and are not passed on. */
function leftOutOf(
  entries: readonly UnpackEntry[],
  { roots, others, limits }: { roots: Roots; others: readonly PackedFile[]; limits: SizeLimits },
): LeftOut[] {
  const above = foldersAbove(roots);
  const passedOn = new Set(others.map(({ path }) => path));
  const skipped = entries.filter(
    ({ kind, name }) =>
      kind !== 'folder' &&
      !passedOn.has(name) &&
      (isClutter(name) || findSkillRoot(roots, name) === undefined),
  );
  return summarizeLeftOut(
    skipped.map((entry) => leftOutEntry(entry.name, above, whyUnread(entry, limits))),
  );
}

function whyUnread(entry: UnpackEntry, limits: SizeLimits): LeftOutReason {
  if (entry.kind === 'link') {
    return 'link';
  }
  return entry.kind === 'file' && entry.size > limits.fileBytes ? 'too-large' : 'no-skill';
}

/** Longer than any file system allows, and expensive to validate. */
const maxNameLength = 4096;
const noSkill = { code: 'no-skill', message: 'There is no SKILL.md in it.' };

function plainEntries(found: readonly UnpackEntry[], report: ReportIssue): UnpackEntry[] {
  return found
    .map((entry) => ({ ...entry, name: plainName(entry) }))
    .filter(({ name, kind }) => {
      const fault = name.length > maxNameLength ? findPathIssue(name) : undefined;
      if (fault) {
        report(name, fault);
      }
      return !fault && (name !== '' || kind !== 'folder');
    });
}

/** Files and links by the skill that contains them; undefined for those in none. */
function bySkill(
  entries: readonly UnpackEntry[],
  roots: Roots,
): Map<string | undefined, MemberEntry[]> {
  const groups = new Map<string | undefined, MemberEntry[]>();
  for (const entry of entries) {
    if (entry.kind !== 'folder') {
      const root = findSkillRoot(roots, entry.name);
      const group = groups.get(root);
      if (group) {
        group.push(entry);
      } else {
        groups.set(root, [entry]);
      }
    }
  }
  return groups;
}

/**
 * Files outside of skills are read, too: their checksums show whether the archive is trustworthy.
 */
function readOutside(
  outside: readonly MemberEntry[],
  limits: SizeLimits,
  report: ReportIssue,
): PackedFile[] {
  const files: PackedFile[] = [];
  for (const entry of outside) {
    if (entry.kind === 'link' && leadsOut(entry)) {
      report(entry.name, linkFaults.outside);
    }
    const bytes =
      entry.kind === 'file' && entry.size <= limits.fileBytes ? entry.read() : undefined;
    if (bytes && entry.kind === 'file') {
      files.push({ path: entry.name, bytes, executable: entry.executable });
    }
  }
  return files;
}

interface Skill {
  /** Its folder in the archive, empty for the root. */
  root: string;
  members: readonly MemberEntry[];
  /** All entries of the archive by name. */
  tree: ReadonlyMap<string, UnpackEntry>;
  limits: SizeLimits;
}

/** The files of one skill. */
interface SkillFiles {
  /** Relative to its folder. `SKILL.md` is normalized to this name. */
  files: PackedFile[];
  /** Repairs that were necessary to read its `SKILL.md`. */
  diagnostics: Diagnostic[];
}

/** Reads the files of one skill, with links as copies of their targets. Reports exceeded limits. */
function unpackFiles(skill: Skill, report: ReportIssue): SkillFiles {
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

/** Whether a link leads out of the archive. */
function leadsOut(link: LinkEntry): boolean {
  return targetPath(link) === undefined;
}

/** Target of a link, relative to the root of the archive; undefined if it is outside. */
function targetPath({ name, target, isHard }: LinkEntry): string | undefined {
  const path = posix.normalize(isHard ? target : posix.join(posix.dirname(name), target));
  const isOutside = posix.isAbsolute(target) || path === '..' || path.startsWith('../');
  return isOutside || target.includes('\\') ? undefined : path;
}
