import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { ProposedChange, SkillSourceConfig } from '@knowhow/shared/skills/skill-sources';
import { getFilesChecksum } from '../../../platform/lib/files-checksum.ts';
import {
  compareFiles,
  describeContent,
  isWantedSkill,
  type ReadSources,
  readContent,
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
import { findConflict } from '../skills/report-archive.ts';
import type { SkillAdmin } from '../skills/skill-admin.ts';

/** A proposed change, with what is installed for it. */
export interface Proposed {
  change: ProposedChange;
  /** Undefined for a skill that was removed. */
  skill: SourceSkill | undefined;
  /** Checksum of its files in the commit. */
  checksum: string;
}

interface Candidate {
  source: SourceSkill;
  prepared: PreparedSkill;
  checksum: string;
  isTwice: boolean;
}

/**
 * Compares the skills of a commit with those that were taken from the source before, and with those that
 * are installed. Skills that did not change are not listed; neither are those that were deleted here.
 */
export async function proposeChanges(
  admin: SkillAdmin,
  source: SkillSourceConfig,
  { archive, taken }: { archive: ReadSources; taken: readonly TakenSkill[] },
): Promise<Proposed[]> {
  const candidates = await prepareWanted(admin, source, archive);
  const known = new Map(taken.map((row) => [row.skill, row]));
  const present = new Set(candidates.map(({ prepared }) => prepared.name));
  const gone = taken.filter(({ skill }) => !present.has(skill));
  const renamed = new Map<string, TakenSkill>();
  const proposed: Proposed[] = [];
  for (const candidate of candidates) {
    await yieldToEventLoop();
    const { name } = candidate.prepared;
    const row = known.get(name);
    const former = row
      ? undefined
      : gone.find(({ checksum, skill }) => checksum === candidate.checksum && !renamed.has(skill));
    if (former) {
      renamed.set(former.skill, former);
    }
    const change = await describeChange(admin, candidate, { row, former });
    if (change) {
      const { checksum } = candidate;
      proposed.push({ change, skill: candidate.source, checksum });
    }
  }
  const removed = gone.filter(({ skill }) => !renamed.has(skill)).map(describeRemoval);
  return [...proposed, ...removed];
}

async function prepareWanted(
  { contents }: SkillAdmin,
  source: SkillSourceConfig,
  { skills }: ReadSources,
): Promise<Candidate[]> {
  const { maxSkillBodyTokens } = contents().skills.settings;
  const candidates: Omit<Candidate, 'isTwice'>[] = [];
  for (const each of skills.filter(({ root }) => isWantedSkill(source, root))) {
    await yieldToEventLoop();
    const prepared = prepareSkill(each, undefined, maxSkillBodyTokens);
    candidates.push({ source: each, prepared, checksum: await getFilesChecksum(prepared.files) });
  }
  const twice = new Set(
    namedTwice(candidates.map(({ prepared }) => prepared)).map((each) => each.skill),
  );
  return candidates.map((each) => ({ ...each, isTwice: twice.has(each.prepared) }));
}

interface Known {
  row: TakenSkill | undefined;
  /** The skill that had the same files under another name. */
  former: TakenSkill | undefined;
}

async function describeChange(
  admin: SkillAdmin,
  { prepared, checksum, isTwice }: Candidate,
  { row, former }: Known,
): Promise<ProposedChange | undefined> {
  const { name, root: path, files, refusals } = prepared;
  if (row?.checksum === checksum && row.path === path) {
    return undefined;
  }
  const entry = findConflict(admin, name);
  const installed = entry && (await describeContent(entry)).checksum;
  const isMoved = row?.checksum === checksum;
  const isSame = installed === checksum || isMoved;
  const conflict = isSame ? undefined : findReason(row, installed);
  const accepted = refusals.length === 0 && !isTwice;
  const kind = isMoved || former ? 'renamed' : row ? 'changed' : 'added';
  const diagnostics = adminDiagnostics(diagnosticsOn(prepared), prepared.skill);
  return {
    key: `${kind}:${name}:${path}`,
    kind,
    name,
    path,
    ...(isMoved ? { pathBefore: row.path } : {}),
    ...(former ? { nameBefore: former.skill, pathBefore: former.path } : {}),
    ...(conflict ? { conflict } : {}),
    accepted,
    diagnostics,
    changes: entry && !isSame ? compareFiles(await readContent(entry), files) : [],
  };
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

function describeRemoval({ skill, path, checksum }: TakenSkill): Proposed {
  const key = `removed:${skill}:${path}`;
  const change = { key, kind: 'removed' as const, name: skill, path };
  return {
    change: { ...change, accepted: true, diagnostics: [], changes: [] },
    skill: undefined,
    checksum,
  };
}
