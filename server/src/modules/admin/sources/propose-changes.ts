import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { maxDescriptionLength } from '@knowhow/shared/skills/edited-translations';
import type { ProposedChange, SkillSourceConfig } from '@knowhow/shared/skills/skill-sources';
import { getFilesChecksum } from '../../../platform/lib/files-checksum.ts';
import { groupBy } from '../../../platform/lib/group-by.ts';
import { sha256 } from '../../../platform/lib/sha256.ts';
import {
  describeContent,
  isWantedSkill,
  type ManifestFile,
  type PackedFile,
  type PendingChanges,
  type ReadCommit,
  type SourceSkill,
  type TakenSkill,
} from '../../skills/index.ts';
import { adminDiagnostics } from '../skills/describe-skill.ts';
import {
  diagnosticsOn,
  namedTwice,
  type PreparedSkill,
  prepareSkill,
} from '../skills/prepare-skill.ts';
import { findChecksumHere, findConflict } from '../skills/report-archive.ts';
import type { SkillAdmin } from '../skills/skill-admin.ts';
import type { SkillEntry } from '../skills/skill-entries.ts';

export type ProposalOptions = Pick<SkillAdmin, 'contents' | 'skills'>;

/** A proposed change, without its checks and the numbers of its files. */
export interface Proposed {
  /** With all diagnostics of the skill. */
  change: Omit<ProposedChange, 'failedChecks'>;
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

interface Proposing {
  archive: ReadCommit;
  taken: readonly TakenSkill[];
  /** The key of the only change that is wanted. */
  wantedKey?: string | undefined;
}

/**
 * Compares the skills of a commit with those that were taken from the source before, and with those that
 * are installed. Skills that did not change are not listed; neither are those that were deleted here or detached.
 */
export async function proposeChanges(
  admin: ProposalOptions,
  source: SkillSourceConfig,
  { archive, taken, wantedKey }: Proposing,
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
  const mayMatchKey = (name: string, path: string) =>
    wantedKey === undefined || wantedKey.includes(`:${name}:${path}:`);
  for (const candidate of candidates) {
    const { name, root } = candidate.prepared;
    const row = known.get(name);
    const former = row ? undefined : goneByChecksum.get(candidate.checksum)?.shift();
    if (former) {
      renamed.add(former);
    }
    if (!mayMatchKey(name, root)) {
      continue;
    }
    await yieldToEventLoop();
    const change = await describeChange(admin, candidate, { row, former });
    if (change) {
      proposed.push(change);
    }
  }
  for (const row of gone.filter((each) => !renamed.has(each))) {
    if (mayMatchKey(row.skill, row.path)) {
      await yieldToEventLoop();
      proposed.push(await describeRemoval(admin, row));
    }
  }
  return wantedKey === undefined
    ? proposed
    : proposed.filter(({ change }) => change.key === wantedKey);
}

/** The numbers of changes that can be taken. */
export function countOpen(proposed: readonly Proposed[]): PendingChanges {
  const open = proposed.filter(({ change }) => change.accepted);
  const edited = open.filter(({ change }) => change.conflict === 'edited');
  return { pending: open.length, edited: edited.length };
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
    key: keyOf({ kind, name, path }, [checksum, installed, formerHere, row?.checksum]),
    kind,
    name,
    path,
    description: cutDescription(prepared.skill.description),
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

/** Skills that are refused may have a longer one. */
function cutDescription(description = ''): string {
  // Not within a character.
  return [...description.slice(0, 2 * maxDescriptionLength)]
    .slice(0, maxDescriptionLength)
    .join('');
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
      description: cutDescription(findConflict(admin, skill)?.skill.description),
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
