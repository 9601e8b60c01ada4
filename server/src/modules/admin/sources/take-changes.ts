import { Problem, problem } from '@knowhow/shared/problem';
import type { Resolution, SkillSourceConfig } from '@knowhow/shared/skills/skill-sources';
import { getFilesChecksum } from '../../../platform/lib/files-checksum.ts';
import { listSome } from '../../../platform/lib/list-some.ts';
import type { ReadCommit, SourceSkill, SourceStates } from '../../skills/index.ts';
import { bulkSkills } from '../skills/bulk-skills.ts';
import { installArchive } from '../skills/install-archive.ts';
import { type PreparedSkill, prepareSkill } from '../skills/prepare-skill.ts';
import type { SkillAdmin, SkillWrite } from '../skills/skill-admin.ts';
import { checkFiles, saveDraft } from '../skills/skill-drafts.ts';
import { mergeProposed, readHere } from './describe-proposal.ts';
import { resolveMerge } from './merge-sides.ts';
import { countOpen, type Proposed } from './propose-changes.ts';
import { updateLocked } from './sources-lock.ts';

interface TakeOptions extends SkillAdmin {
  states: SourceStates;
}

interface Taking {
  source: SkillSourceConfig;
  archive: ReadCommit;
  work: Pick<SkillWrite, 'by' | 'isPublisher' | 'reason'>;
  /** All changes of the commit. */
  proposed: readonly Proposed[];
  /** The changes to take. */
  taken: readonly Proposed[];
  /** How those of skills that were edited here are taken. */
  resolve: readonly Resolution[];
}

/** Names of skills. */
export interface Applied {
  installed: string[];
  switchedOff: string[];
  kept: string[];
  drafted: string[];
}

/** Installs skills and switches off those that were removed, then records what was taken. */
export async function takeChanges(
  options: TakeOptions,
  { source, archive, work, proposed, taken, resolve }: Taking,
): Promise<Applied> {
  const { by, isPublisher } = work;
  const resolved = await resolveChanges(options, taken, resolve);
  const skills = resolved.flatMap(({ skill }) => skill ?? []);
  const written = resolved.filter(({ skill }) => skill);
  const merged = new Set(
    written.flatMap(({ each, checksumHere }) =>
      checksumHere === undefined ? [] : each.change.name,
    ),
  );
  const expected = new Map(
    written.map(({ each, checksumHere }) => [each.change.name, checksumHere ?? each.installed]),
  );
  const all = { overwrite: true, select: undefined, rename: [], merged, expected };
  const { installed } = await installArchive(
    options,
    { ...work, message: undefined },
    { ...archive, skills },
    all,
  );
  const left = taken.flatMap(({ change, skill }) =>
    skill ? (change.nameBefore ?? []) : change.name,
  );
  const origin = { kind: 'git' as const };
  const checkAccess = () => Promise.resolve();
  const off = { action: 'switch' as const, names: left, enabled: false };
  const { done } =
    left.length === 0
      ? { done: [] }
      : await bulkSkills(options, { by, origin, isPublisher, checkAccess }, off);
  await options.states.take(source.id, {
    taken: resolved.flatMap(({ each: { change, files, checksum, difference }, ...as }) => {
      const hasVersion = !!as.skill && !!difference && as.checksumHere === undefined;
      const { name: skill, path } = change;
      const taking = { skill, path, commit: archive.commit.commit, tree: archive.trees.get(path) };
      return files ? { ...taking, checksum, files, hasVersion } : [];
    }),
    left,
    ...countOpen(proposed.filter((each) => !taken.includes(each))),
  });
  await updateLocked(options, source, archive.commit.commit);
  const kept = resolved.flatMap(({ each, isKept }) => (isKept ? each.change : []));
  await options.audit.record(
    ...kept.map(({ name, path }) => ({
      ...{ by, action: 'kept', kind: 'skill' as const, target: name },
      after: { source: source.id, commit: archive.commit.commit, path },
    })),
  );
  return {
    installed: installed.map(({ name }) => name),
    switchedOff: done,
    kept: kept.map(({ name }) => name),
    drafted: [],
  };
}

/** Saves changes as drafts, which are reviewed like all others. The changes stay proposed until they are published. */
export async function draftChanges(
  options: TakeOptions,
  { work, taken, resolve }: Pick<Taking, 'work' | 'taken' | 'resolve'>,
): Promise<Applied> {
  if (taken.some(({ skill }) => !skill)) {
    throw problem(
      'conflict',
      'The removal of a skill cannot be saved as a draft. Leave it out, or take it alone.',
    );
  }
  const resolved = await resolveChanges(options, taken, resolve);
  const kept = resolved.flatMap(({ each, isKept }) => (isKept ? each.change.name : []));
  if (kept.length > 0) {
    throw problem(
      'conflict',
      `The files here stay: there is no draft to save for ${listSome(kept, 20)}. Take it without drafts instead.`,
    );
  }
  const { maxSkillBodyTokens } = options.contents().skills.settings;
  const prepared = resolved.flatMap(({ skill }) =>
    skill ? prepareSkill(skill, undefined, maxSkillBodyTokens) : [],
  );
  await rejectOpenDrafts(options, prepared);
  const drafted: string[] = [];
  for (const { name, files } of prepared) {
    const change = { skill: name, by: work.by, expected: undefined, scope: 'all' as const };
    try {
      await saveDraft(options, { ...change, mustBegin: true }, files);
    } catch (error) {
      throw error instanceof Problem && drafted.length > 0
        ? savedBefore(name, drafted, error)
        : error;
    }
    drafted.push(name);
  }
  return { installed: [], switchedOff: [], kept: [], drafted };
}

/** The problem of a draft that cannot be saved after others. */
function savedBefore(name: string, drafted: readonly string[], error: Problem): Problem {
  const saved = `These drafts are saved already: ${listSome(drafted, 20)}.`;
  const detail = `"${name}" cannot be saved as a draft: ${error.message} ${saved} Choose the other changes again.`;
  return problem('conflict', detail, { cause: error });
}

async function rejectOpenDrafts(
  { drafts }: TakeOptions,
  prepared: readonly PreparedSkill[],
): Promise<void> {
  const open: string[] = [];
  for (const { name } of prepared) {
    if (await drafts.get(name)) {
      open.push(name);
    }
  }
  if (open.length > 0) {
    throw problem(
      'conflict',
      `These skills have a draft already: ${listSome(open, 20)}. Publish or discard it first, or choose other changes.`,
    );
  }
}

interface Resolved {
  each: Proposed;
  /** The files to install; undefined for a removed skill, and if the files here stay or are the same. */
  skill: SourceSkill | undefined;
  /** For merged files, the checksum of the files here. */
  checksumHere?: string;
  isKept?: boolean;
}

async function resolveChanges(
  options: TakeOptions,
  taken: readonly Proposed[],
  resolve: readonly Resolution[],
): Promise<Resolved[]> {
  const byKey = new Map(resolve.map((resolution) => [resolution.key, resolution]));
  const resolved: Resolved[] = [];
  for (const each of taken) {
    const resolution = byKey.get(each.change.key);
    byKey.delete(each.change.key);
    resolved.push(
      resolution
        ? await resolveChange(options, each, resolution)
        : { each, skill: each.difference && each.skill },
    );
  }
  if (byKey.size > 0) {
    throw outdated();
  }
  return resolved;
}

async function resolveChange(
  options: TakeOptions,
  each: Proposed,
  { checksum, use, files = [] }: Resolution,
): Promise<Resolved> {
  const merge = await mergeProposed(options.states, each, await readHere(each));
  if (!merge || !each.skill || merge.checksum !== checksum) {
    throw outdated();
  }
  if (use === 'ours') {
    return { each, skill: undefined, isKept: true };
  }
  const merged = resolveMerge(merge, new Map(files.map((file) => [file.path, file.use])));
  if ((await getFilesChecksum(merged)) === merge.checksumHere) {
    return { each, skill: undefined, isKept: true };
  }
  checkFiles(options, merged);
  const skill = { ...each.skill, files: merged };
  const { name } = prepareSkill(skill, undefined, undefined);
  if (name !== each.change.name) {
    throw problem(
      'conflict',
      `The merged SKILL.md of "${each.change.name}" has the name "${name}". Choose a side for it, or correct the name here first.`,
    );
  }
  return { each, skill, checksumHere: merge.checksumHere };
}

/** The problem for changes that are no longer proposed as they were shown. */
export function outdated() {
  return problem(
    'conflict',
    'Some of these changes are no longer proposed, or cannot be taken. Load the proposal again.',
  );
}
