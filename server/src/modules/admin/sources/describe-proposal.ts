import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { FileChange } from '@knowhow/shared/skills/file-changes';
import type { PublicationCheck } from '@knowhow/shared/skills/publication-checks';
import type { ProposedChange, ProposedFiles } from '@knowhow/shared/skills/skill-sources';
import {
  createFileComparer,
  findChangedFiles,
  type PackedFile,
  readContent,
  type SourceStates,
} from '../../skills/index.ts';
import { findNewFailures } from '../skills/check-publication.ts';
import { createHunkLimit } from '../skills/limit-hunks.ts';
import type { SkillAdmin } from '../skills/skill-admin.ts';
import { isWritable } from '../skills/skill-entries.ts';
import { describeMerge, type Merge, mergeSides, summarizeMerge } from './merge-sides.ts';
import type { Proposed } from './propose-changes.ts';

/**
 * Adds the required checks that fail, and how many files differ. The differences are not part of it: those of thousands
 * of skills would be too large for one answer.
 */
export async function describeProposal(
  admin: SkillAdmin & { states: SourceStates },
  proposed: readonly Proposed[],
): Promise<ProposedChange[]> {
  const together = new Set(proposed.map(({ change }) => change.name));
  const described: ProposedChange[] = [];
  for (const each of proposed) {
    const here = await readHere(each);
    const failedChecks = await findFailedChecks(admin, each, { here, together });
    await yieldToEventLoop();
    const merge = await mergeProposed(admin.states, each, here);
    const { change } = each;
    described.push({
      ...change,
      diagnostics: change.accepted ? [] : change.diagnostics,
      failedChecks,
      ...(merge ? { merge: summarizeMerge(merge) } : countFiles(each, here)),
    });
  }
  return described;
}

/** Differences of the files of a proposed change. */
export async function describeProposedFiles(
  states: SourceStates,
  each: Proposed,
): Promise<ProposedFiles> {
  const { diagnostics } = each.change;
  const here = await readHere(each);
  const merge = await mergeProposed(states, each, here);
  const limitHunks = createHunkLimit();
  if (merge) {
    // It has the differences of both sides.
    return { diagnostics, changes: [], merge: await describeMerge(merge, limitHunks) };
  }
  const rank = ({ path }: { path: string }) => (path === 'SKILL.md' ? 0 : 1);
  const changed = findChangedFiles(here ?? [], each.difference?.files ?? []);
  const changes: FileChange[] = [];
  const compare = createFileComparer();
  // The first ones get the differences, if time or room is short.
  for (const { path, ...states } of changed.sort((one, other) => rank(one) - rank(other))) {
    await yieldToEventLoop();
    changes.push(compare(path, states));
  }
  return { diagnostics, changes: limitHunks(changes) };
}

type Here = readonly PackedFile[] | undefined;

/**
 * The merge of a skill that was edited here; undefined for other changes.
 *
 * @param here the files of the skill that would be replaced
 */
export async function mergeProposed(
  states: SourceStates,
  { change, difference, base }: Proposed,
  here: Here,
): Promise<Merge | undefined> {
  return change.conflict === 'edited' && difference && here
    ? mergeSides(states, { base, ours: here, theirs: difference.files })
    : undefined;
}

/** The files of the skill that a change replaces; undefined if there is none, or if it has the same files. */
export async function readHere({ difference }: Proposed): Promise<Here> {
  return difference?.installed && readContent(difference.installed);
}

/** The changes that pass the required checks together, without the failing ones. */
export async function selectPassing(
  admin: SkillAdmin,
  proposed: readonly Proposed[],
): Promise<Proposed[]> {
  const together = new Set(proposed.map(({ change }) => change.name));
  const passing: Proposed[] = [];
  for (const each of proposed) {
    const here = await readHere(each);
    if ((await findFailedChecks(admin, each, { here, together })).length === 0) {
      passing.push(each);
    }
  }
  // A skill may depend on one that was left out.
  return passing.length === proposed.length ? passing : selectPassing(admin, passing);
}

interface CheckContext {
  here: Here;
  /** The names of all skills that are taken. */
  together: ReadonlySet<string>;
}

async function findFailedChecks(
  admin: SkillAdmin,
  { change, difference }: Proposed,
  { here, together }: CheckContext,
): Promise<PublicationCheck[]> {
  await yieldToEventLoop();
  if (!difference || !change.accepted) {
    return [];
  }
  const { files, installed } = difference;
  const before = installed && isWritable(installed) ? here : undefined;
  const write = { skill: change.name, files, before, together };
  return (await findNewFailures(admin, write)).map(({ id }) => id);
}

function countFiles(
  { difference }: Proposed,
  here: Here,
): Pick<ProposedChange, 'newFiles' | 'changedFiles'> {
  if (!difference) {
    return {};
  }
  return here
    ? { changedFiles: findChangedFiles(here, difference.files).length }
    : { newFiles: difference.files.length };
}
