import { posix } from 'node:path';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { type LeftOut, summarizeLeftOut } from '@knowhow/shared/skills/left-out';
import type { PackedFile } from '@knowhow/skill-format';
import { getErrorMessage } from '../../../platform/lib/get-error-message.ts';
import { ignore } from '../../../platform/lib/ignore.ts';
import { type Choosable, type ChosenFiles, chooseFiles, TooManyFiles } from './choose-files.ts';
import { collectIssues, type IssueCollector } from './collect-issues.ts';
import type { UnpackEntry } from './unpack-entry.ts';
import { type ArchiveIssue, type ReportIssue, tooMuchKept } from './unpack-faults.ts';
import { keptLimits, type SizeLimits } from './unpack-limits.ts';
import { findEntryNameIssue, plainName } from './unpack-names.ts';
import { foldersAbove, isSkillFile, leftOutEntry } from './unpack-roots.ts';
import {
  findFlattened,
  type RejectedFiles,
  type UnpackedFiles,
  unpackSkill,
} from './unpack-skills.ts';

/** The content of an archive, a folder or a commit. */
export interface UnpackedEntries {
  skills: UnpackedFiles[];
  /** Skills with an error, of an import with others. */
  rejected: RejectedFiles[];
  /** Files outside of the skills that may be converted, or belong to plugins; of an import. */
  others: PackedFile[];
  leftOut: LeftOut[];
}

interface Options {
  limits: SizeLimits;
  /** Whether an error of a skill does not affect others, and `others` are wanted. */
  isImport: boolean;
  /** Reads contents, which other entries do not need. */
  load?: ((files: ReadonlySet<UnpackEntry>) => Promise<void>) | undefined;
}

/**
 * The skills among entries. Only their files, and those that may be converted, are read, counted and validated. Reports
 * the issues of all skills if none can be read, or if it is no import.
 */
export async function unpackEntries(
  found: readonly UnpackEntry[],
  { limits, isImport, load = () => Promise.resolve() }: Options,
  report: ReportIssue,
): Promise<UnpackedEntries> {
  const files = found.map((entry) => toChoice(entry, limits));
  for (const { path } of files) {
    const fault = path.length <= maxNameLength ? findEscape(path) : undefined;
    if (fault) {
      report(path, fault);
    }
  }
  const chosen =
    (isImport ? await choose(files, limits, isCandidate) : undefined) ??
    (await choose(files, limits));
  if (!chosen) {
    report('', tooMuchKept);
    return { skills: [], rejected: [], others: [], leftOut: [] };
  }
  if (chosen.skills.size === 0 && !isImport) {
    report('', noSkill);
  }
  const wanted = [...chosen.skills.values(), chosen.others, chosen.candidates]
    .flat()
    .map(({ entry }) => entry);
  await load(new Set(wanted.filter((entry) => isReadable(entry, limits))));
  const tree = new Map(files.map(({ path, entry }) => [path, entry]));
  await load(new Set(findFlattened([...chosen.skills.keys()], tree, limits)));
  const { skills, rejected, issues } = await unpackGroups(chosen.skills, limits, tree);
  if (!isImport || skills.length === 0) {
    for (const [name, issue] of issues) {
      report(name, issue);
    }
  }
  const others: PackedFile[] = [];
  const unused: LeftOut[] = [];
  const above = foldersAbove(new Set(chosen.skills.keys()));
  const take = (file: Choice, isWanted: (other: PackedFile) => boolean) => {
    const other = isImport ? readOther(file, limits) : undefined;
    if (other && isWanted(other)) {
      others.push(other);
    } else {
      unused.push(leftOutEntry(file.path, above, file.why));
    }
  };
  for (const file of chosen.others) {
    take(file, () => true);
  }
  for (const file of chosen.candidates) {
    take(file, isConvertible);
  }
  const leftOut = summarizeLeftOut([...chosen.leftOut, ...unused]);
  return { skills, rejected, others, leftOut };
}

/** Longer than any file system allows, and expensive to validate. */
const maxNameLength = 4096;
const noSkill = { code: 'no-skill', message: 'There is no SKILL.md in it.' };

/** Why a name is not accepted even outside of skills: nothing but an attack leads out of an archive. */
function findEscape(path: string): ArchiveIssue | undefined {
  const fault = findEntryNameIssue(path);
  if (fault?.code !== 'path-backslash') {
    return fault && escapes.has(fault.code) ? fault : undefined;
  }
  // A name outside of skills may have a back-slash, unless it is no path, or that of a skill, on other systems.
  const plain = path.replaceAll('\\', '/');
  return isSkillFile(posix.basename(plain)) || findEntryNameIssue(plain) ? fault : undefined;
}

const escapes: ReadonlySet<string> = new Set(['path-outside', 'path-absolute']);

interface Choice extends Choosable {
  entry: UnpackEntry;
}

function toChoice(entry: UnpackEntry, limits: SizeLimits): Choice {
  const choice = { path: plainName(entry), kind: entry.kind, entry };
  if (choice.path.includes('\\')) {
    return { ...choice, why: 'back-slash' };
  }
  const isTooLarge = entry.kind === 'file' && !isReadable(entry, limits);
  return isTooLarge ? { ...choice, why: 'too-large' } : choice;
}

/** Undefined if there are too many, or they are too large together. */
async function choose(
  files: readonly Choice[],
  limits: SizeLimits,
  isCandidate: (file: Choice) => boolean = () => false,
): Promise<ChosenFiles<Choice> | undefined> {
  try {
    const chosen = await chooseFiles(files, { maxFiles: keptLimits.files, isCandidate });
    return isTooMuch(chosen, limits) ? undefined : chosen;
  } catch (error) {
    if (error instanceof TooManyFiles) {
      return undefined;
    }
    throw error;
  }
}

/** Larger than any flow or settings. */
const maxCandidateBytes = 2 * 1024 * 1024;

/** Other files in which there may be something to convert. They count only if there is room for them. */
function isCandidate({ path, entry }: Choice): boolean {
  return (
    isPlainJson(path) &&
    !path.includes('\\') &&
    entry.kind === 'file' &&
    entry.size <= maxCandidateBytes
  );
}

function isReadable(entry: UnpackEntry, { fileBytes }: SizeLimits): boolean {
  return entry.kind === 'file' && entry.size <= fileBytes;
}

/** All that may be read has to fit into memory. */
function isTooMuch(
  { skills, others, candidates }: ChosenFiles<Choice>,
  { fileBytes }: SizeLimits,
): boolean {
  let total = 0;
  for (const { entry } of [...skills.values(), others, candidates].flat()) {
    total += entry.kind === 'file' && entry.size <= fileBytes ? entry.size : 0;
  }
  return total > keptLimits.bytes;
}

/** Its content decides whether it is converted. */
function isPlainJson(path: string): boolean {
  return path.endsWith('.json');
}

function readOther({ path, entry }: Choice, limits: SizeLimits): PackedFile | undefined {
  if (entry.kind !== 'file' || entry.size > limits.fileBytes || path.includes('\\')) {
    return undefined;
  }
  const bytes = entry.read(ignore);
  return bytes && { path, bytes, executable: entry.executable };
}

/** Fields of flows, settings and lists of servers. */
const convertibleFields = ['"steps"', '"mcpServers"', '_agent_skills"'];
/** The name of an exported flow. */
const flowName = /[0-9a-f-]{36}\.json$/i;

/** Whether the name or content of a JSON file says that it may be converted. */
function isConvertible({ path, bytes }: PackedFile): boolean {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return flowName.test(path) || convertibleFields.some((field) => text.includes(field));
}

interface Groups {
  skills: UnpackedFiles[];
  rejected: RejectedFiles[];
  issues: [name: string, issue: ArchiveIssue][];
}

/**
 * Validates each skill alone.
 *
 * @param tree all entries by path; by default, those of each skill
 */
export async function unpackGroups(
  groups: ReadonlyMap<string, readonly Pick<Choice, 'path' | 'entry'>[]>,
  limits: SizeLimits,
  tree?: ReadonlyMap<string, UnpackEntry>,
): Promise<Groups> {
  const all: Groups = { skills: [], rejected: [], issues: [] };
  // Links multiply contents.
  let kept = 0;
  for (const [root, members] of groups) {
    await yieldToEventLoop();
    const faults = collectIssues((reason) => reason);
    const before = all.issues.length;
    const entries = members.map(({ path, entry }) => ({ ...entry, name: path }));
    const own = tree ?? new Map(entries.map((entry) => [entry.name, entry]));
    const skill = unpackSkill({ root, entries, tree: own, limits }, (name, issue) => {
      faults.report(name, issue);
      all.issues.push([name, issue]);
    });
    kept += skill.files.reduce((sum, { bytes }) => sum + bytes.length, 0);
    if (kept > keptLimits.bytes) {
      return { skills: [], rejected: [], issues: [['', tooMuchKept]] };
    }
    if (all.issues.length === before) {
      all.skills.push(skill);
      continue;
    }
    const main = skill.files.find(({ path }) => path === 'SKILL.md');
    all.rejected.push({ root, main: main?.bytes, reason: getReason(faults) });
  }
  return all;
}

function getReason(faults: IssueCollector): string {
  try {
    faults.refuse();
  } catch (error) {
    return getErrorMessage(error);
  }
  return '';
}
