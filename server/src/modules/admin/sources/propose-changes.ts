import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { FileChange } from '@knowhow/shared/skills/file-changes';
import type { PublicationCheck } from '@knowhow/shared/skills/publication-checks';
import type { ProposedChange, SkillSourceConfig } from '@knowhow/shared/skills/skill-sources';
import { getFilesChecksum } from '../../../platform/lib/files-checksum.ts';
import { groupBy } from '../../../platform/lib/group-by.ts';
import { sha256 } from '../../../platform/lib/sha256.ts';
import {
  compareFiles,
  describeContent,
  isWantedSkill,
  type ManifestFile,
  type PackedFile,
  type PendingChanges,
  type ReadCommit,
  readContent,
  type SourceSkill,
  type SourceStates,
  type TakenSkill,
} from '../../skills/index.ts';
import { findNewFailures } from '../skills/check-publication.ts';
import { adminDiagnostics } from '../skills/describe-skill.ts';
import { createHunkLimit } from '../skills/limit-hunks.ts';
import {
  diagnosticsOn,
  namedTwice,
  type PreparedSkill,
  prepareSkill,
} from '../skills/prepare-skill.ts';
import { findChecksumHere, findConflict } from '../skills/report-archive.ts';
import type { SkillAdmin } from '../skills/skill-admin.ts';
import { isWritable, type SkillEntry } from '../skills/skill-entries.ts';
import { describeMerge, type Merge, mergeSides } from './merge-sides.ts';

export type ProposalOptions = Pick<SkillAdmin, 'contents' | 'skills'>;

/** A proposed change, without the differences of its files and the checks. */
export interface Proposed {
  change: Omit<ProposedChange, 'changes' | 'failedChecks'>;
  /** Undefined for a skill that was removed. */
  skill: SourceSkill | undefined;
  /** Its files in the commit; undefined for a skill that was removed. */
  files: readonly PackedFile[] | undefined;
  /** Their checksum. */
  checksum: string;
  /** The checksum of the skill here with its name; undefined if there is none. */
  installed: string | undefined;
  /** The files of the commit that would be written, and the skill that they replace. */
  difference: Difference | undefined;
  /** The files of the skill as it was taken last, for a skill that was edited here. */
  base: readonly ManifestFile[] | undefined;
}

interface Difference {
  files: readonly PackedFile[];
  installed: SkillEntry | undefined;
}

/** A skill of a commit that the source selects. */
export interface Candidate {
  source: SourceSkill;
  prepared: PreparedSkill;
  checksum: string;
  isTwice: boolean;
}

/**
 * Compares the skills of a commit with those that were taken from the source before, and with those that
 * are installed. Skills that did not change are not listed; neither are those that were deleted here or detached.
 */
export async function proposeChanges(
  admin: ProposalOptions,
  source: SkillSourceConfig,
  { archive, taken }: { archive: ReadCommit; taken: readonly TakenSkill[] },
): Promise<Proposed[]> {
  const same = taken.filter(
    ({ path, tree, detachedAt }) =>
      tree !== undefined &&
      archive.unchanged.get(path) === tree &&
      detachedAt === undefined &&
      isWantedSkill(source, path),
  );
  const wanted = await prepareWanted(
    admin,
    source,
    archive,
    new Set(same.map(({ skill }) => skill)),
  );
  const known = new Map(taken.map((row) => [row.skill, row]));
  const detached = taken.filter(({ detachedAt }) => detachedAt !== undefined);
  const left = new Set(detached.flatMap(({ skill, path }) => [`name ${skill}`, `path ${path}`]));
  const candidates = wanted.filter(
    ({ prepared: { name, root } }) => !left.has(`name ${name}`) && !left.has(`path ${root}`),
  );
  const present = new Set([
    ...same.map(({ skill }) => skill),
    ...candidates.map(({ prepared }) => prepared.name),
  ]);
  const gone = taken.filter((row) => !present.has(row.skill) && row.detachedAt === undefined);
  const goneByChecksum = groupBy(gone, ({ checksum }) => checksum);
  const renamed = new Set<TakenSkill>();
  const proposed: Proposed[] = [];
  for (const candidate of candidates) {
    await yieldToEventLoop();
    const { name } = candidate.prepared;
    const row = known.get(name);
    const former = row ? undefined : goneByChecksum.get(candidate.checksum)?.shift();
    if (former) {
      renamed.add(former);
    }
    const change = await describeChange(admin, candidate, { row, former });
    if (change) {
      proposed.push(change);
    }
  }
  for (const row of gone.filter((each) => !renamed.has(each))) {
    await yieldToEventLoop();
    proposed.push(await describeRemoval(admin, row));
  }
  return proposed;
}

/** Adds the required checks that fail, the differences of the files from those that are installed, and merges. */
export async function compareProposed(
  admin: SkillAdmin & { states: SourceStates },
  proposed: readonly Proposed[],
): Promise<ProposedChange[]> {
  const together = new Set(proposed.map(({ change }) => change.name));
  const limitHunks = createHunkLimit();
  const compared: ProposedChange[] = [];
  for (const each of proposed) {
    const { change, difference } = each;
    const failedChecks = await findFailedChecks(admin, each, together);
    await yieldToEventLoop();
    const merge = await mergeProposed(admin.states, each);
    if (merge) {
      // It has the differences of both sides.
      const merged = await describeMerge(merge, limitHunks);
      compared.push({ ...change, failedChecks, changes: [], merge: merged });
      continue;
    }
    const changes = difference?.installed
      ? limitHunks(compareFiles(await readContent(difference.installed), difference.files))
      : [];
    const newFiles = difference && !difference.installed ? difference.files.length : undefined;
    compared.push({ ...change, failedChecks, newFiles, changes });
  }
  return compared;
}

/** A skill of a commit. */
export interface NewSkill {
  name: string;
  /** Its folder in the repository. */
  path: string;
}

/** The files of a skill as they would be installed, `SKILL.md` first; undefined if the commit has no such skill. */
export async function describeNewFiles(
  { contents }: Pick<SkillAdmin, 'contents'>,
  { skills }: ReadCommit,
  { name, path }: NewSkill,
): Promise<FileChange[] | undefined> {
  const { maxSkillBodyTokens } = contents().skills.settings;
  for (const each of skills.filter(({ root }) => root === path)) {
    const { prepared } = await prepareOnce(each, maxSkillBodyTokens);
    if (prepared.name === name) {
      const rank = ({ path: file }: FileChange) => (file === 'SKILL.md' ? 0 : 1);
      const changes = compareFiles([], prepared.files);
      return createHunkLimit()(changes.sort((one, other) => rank(one) - rank(other)));
    }
  }
  return undefined;
}

/** The merge of a skill that was edited here; undefined for other changes. */
export async function mergeProposed(
  states: SourceStates,
  { change, difference, base }: Proposed,
): Promise<Merge | undefined> {
  if (change.conflict !== 'edited' || !difference?.installed) {
    return undefined;
  }
  const ours = await readContent(difference.installed);
  return mergeSides(states, { base, ours, theirs: difference.files });
}

/** The changes that pass the required checks together, without the failing ones. */
export async function selectPassing(
  admin: SkillAdmin,
  proposed: readonly Proposed[],
): Promise<Proposed[]> {
  const together = new Set(proposed.map(({ change }) => change.name));
  const passing: Proposed[] = [];
  for (const each of proposed) {
    if ((await findFailedChecks(admin, each, together)).length === 0) {
      passing.push(each);
    }
  }
  // A skill may depend on one that was left out.
  return passing.length === proposed.length ? passing : selectPassing(admin, passing);
}

/** The numbers of changes that can be taken. */
export function countOpen(proposed: readonly Proposed[]): PendingChanges {
  const open = proposed.filter(({ change }) => change.accepted);
  const edited = open.filter(({ change }) => change.conflict === 'edited');
  return { pending: open.length, edited: edited.length };
}

async function findFailedChecks(
  admin: SkillAdmin,
  { change, difference }: Proposed,
  together: ReadonlySet<string>,
): Promise<PublicationCheck[]> {
  await yieldToEventLoop();
  if (!difference || !change.accepted) {
    return [];
  }
  const { files, installed } = difference;
  const before = installed && isWritable(installed) ? await readContent(installed) : undefined;
  const write = { skill: change.name, files, before, together };
  return (await findNewFailures(admin, write)).map(({ id }) => id);
}

type Prepared = Omit<Candidate, 'isTwice'> & { maxTokens: number };

/** Skills of commits that are in memory: a sync, its proposal and taking it prepare them once. */
const preparedSkills = new WeakMap<SourceSkill, Prepared>();

async function prepareOnce(source: SourceSkill, maxTokens: number): Promise<Prepared> {
  const known = preparedSkills.get(source);
  if (known?.maxTokens === maxTokens) {
    return known;
  }
  await yieldToEventLoop();
  const prepared = prepareSkill(source, undefined, maxTokens);
  const checksum = await getFilesChecksum(prepared.files);
  const result = { source, prepared, checksum, maxTokens };
  preparedSkills.set(source, result);
  return result;
}

/**
 * The skills of a commit that the source selects.
 *
 * @param unchanged names of skills that were not read, and stay taken
 */
export async function prepareWanted(
  { contents }: Pick<SkillAdmin, 'contents'>,
  source: SkillSourceConfig,
  { skills }: ReadCommit,
  unchanged: ReadonlySet<string>,
): Promise<Candidate[]> {
  const { maxSkillBodyTokens } = contents().skills.settings;
  const candidates: Prepared[] = [];
  for (const each of skills.filter(({ root }) => isWantedSkill(source, root))) {
    candidates.push(await prepareOnce(each, maxSkillBodyTokens));
  }
  const twice = new Set(
    namedTwice(candidates.map(({ prepared }) => prepared)).map((each) => each.skill),
  );
  return candidates.map((each) => {
    const { prepared } = each;
    return { ...each, isTwice: twice.has(prepared) || unchanged.has(prepared.name) };
  });
}

interface Known {
  row: TakenSkill | undefined;
  /** The skill that had the same files under another name. */
  former: TakenSkill | undefined;
}

async function describeChange(
  admin: ProposalOptions,
  { source, prepared, checksum, isTwice }: Candidate,
  { row, former }: Known,
): Promise<Proposed | undefined> {
  const { name, root: path, files, refusals } = prepared;
  if (row?.checksum === checksum && row.path === path) {
    return undefined;
  }
  const entry = findConflict(admin, name);
  const installed = entry && (await describeContent(entry)).checksum;
  const formerHere = former && (await findChecksumHere(admin, former.skill));
  const isMoved = row?.checksum === checksum;
  const isSame = installed === checksum || isMoved;
  const isFormerEdited = formerHere !== undefined && formerHere !== former?.checksum;
  const reason = isSame ? undefined : findReason(row, installed);
  // Its former name is switched off.
  const conflict = reason ?? (isFormerEdited ? 'edited' : undefined);
  const accepted = refusals.length === 0 && !isTwice;
  const kind = isMoved || former ? 'renamed' : row ? 'changed' : 'added';
  const diagnostics = adminDiagnostics(diagnosticsOn(prepared), prepared.skill);
  const change = {
    key: keyOf({ kind, name, path }, [checksum, installed, formerHere]),
    kind,
    name,
    path,
    ...(isMoved ? { pathBefore: row.path } : {}),
    ...(former ? { nameBefore: former.skill, pathBefore: former.path } : {}),
    ...(conflict ? { conflict } : {}),
    accepted,
    diagnostics,
  } as const;
  const difference = isSame ? undefined : { files, installed: entry };
  const base = conflict === 'edited' ? row?.base : undefined;
  return { change, skill: source, files, checksum, installed, difference, base };
}

function findReason(
  row: TakenSkill | undefined,
  installed: string | undefined,
): ProposedChange['conflict'] {
  if (installed === undefined) {
    return undefined;
  }
  if (row) {
    return installed === row.checksum ? undefined : 'edited';
  }
  return 'name-taken';
}

/** The key of a change. It is another one if a side has changed, so that no side is taken that was not shown. */
function keyOf(
  { kind, name, path }: Pick<ProposedChange, 'kind' | 'name' | 'path'>,
  sides: readonly (string | undefined)[],
): string {
  return `${kind}:${name}:${path}:${sha256(JSON.stringify(sides)).slice(0, 16)}`;
}

async function describeRemoval(
  admin: ProposalOptions,
  { skill, path, checksum }: TakenSkill,
): Promise<Proposed> {
  const installed = await findChecksumHere(admin, skill);
  const key = keyOf({ kind: 'removed', name: skill, path }, [checksum, installed]);
  const isEdited = installed !== undefined && installed !== checksum;
  const conflict = isEdited ? { conflict: 'edited' as const } : {};
  return {
    change: {
      key,
      kind: 'removed',
      name: skill,
      path,
      ...conflict,
      accepted: true,
      diagnostics: [],
    },
    skill: undefined,
    files: undefined,
    checksum,
    installed,
    difference: undefined,
    base: undefined,
  };
}
