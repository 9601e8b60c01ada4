import { problem } from '@knowhow/shared/problem';
import type { AdminSkillDetail } from '@knowhow/shared/skills/admin-skill';
import type { FileChange } from '@knowhow/shared/skills/file-changes';
import type { Revision } from '@knowhow/shared/skills/skill-history';
import { checkUnchanged } from '../../../platform/lib/check-unchanged.ts';
import { getFilesChecksum } from '../../../platform/lib/files-checksum.ts';
import { compareFiles, readContent } from '../../skills/index.ts';
import { describeSkill } from './describe-skill.ts';
import type { Change, SkillAdmin } from './skill-admin.ts';
import { giveAssignments } from './skill-assignments.ts';
import { findEntry, isWritable, type SkillEntry, skillEntries } from './skill-entries.ts';

/** Revisions of a skill, including a deleted one. Throws `not-found` if there are none. */
export async function listRevisions(admin: SkillAdmin, name: string): Promise<Revision[]> {
  const entry = localEntry(admin, name);
  const revisions = await admin.history.list(entry?.name ?? name);
  if (revisions.length === 0) {
    findEntry(admin.skills.snapshot, name);
  }
  const currentChecksum = entry ? getFilesChecksum(await readContent(entry)) : undefined;
  return revisions.map((revision) => ({
    ...revision,
    current: revision.checksum !== undefined && revision.checksum === currentChecksum,
  }));
}

/** Compares a revision with the previous one, or with the current files. */
export async function compareRevision(
  admin: SkillAdmin,
  { name, number, against }: { name: string; number: number; against: 'previous' | 'current' },
): Promise<{ revision: Revision; changes: FileChange[] }> {
  const revisions = await listRevisions(admin, name);
  const position = revisions.findIndex((each) => each.number === number);
  const revision = revisions[position];
  if (!revision) {
    throw noRevision(name, number);
  }
  const entry = localEntry(admin, name);
  const id = entry?.name ?? name;
  const state = (await admin.history.files(id, number)) ?? [];
  if (against === 'current') {
    const now = entry ? await readContent(entry) : [];
    return { revision, changes: compareFiles(now, state) };
  }
  const previous = revisions[position + 1];
  const before = previous ? await admin.history.files(id, previous.number) : undefined;
  return { revision, changes: compareFiles(before ?? [], state) };
}

/**
 * Restores a revision. Records the current state in the history first; a deleted skill gets back
 * its assignments.
 */
export function restoreRevision(
  admin: SkillAdmin,
  { name, by, expected }: Change & { name: string },
  number: number,
): Promise<AdminSkillDetail> {
  const { writer, history, skills, audit } = admin;
  return writer.exclusive(async () => {
    const entry = localEntry(admin, name);
    const id = entry?.name ?? name;
    const files = await history.files(id, number);
    if (!files) {
      throw noRevision(id, number);
    }
    const path = entry?.path ?? id;
    const before = await skills.readWritable(path);
    checkUnchanged(expected, before && getFilesChecksum(before));
    if (before) {
      await history.keepBefore(id, before);
    }
    await writer.install(path, files);
    const assignments = await history.assignments(id);
    if (assignments) {
      await giveAssignments(admin, id, assignments);
    }
    await skills.refresh(path);
    const change = { action: 'restored', by, summary: String(number) };
    await history.record(id, { ...change, files });
    await audit.record({
      ...change,
      kind: 'skill',
      target: id,
      before: before && { checksum: getFilesChecksum(before) },
      after: { revision: number, checksum: getFilesChecksum(files) },
    });
    return describeSkill(admin, id);
  });
}

function localEntry({ skills }: SkillAdmin, name: string): SkillEntry | undefined {
  return skillEntries(skills.snapshot).find((entry) => entry.name === name && isWritable(entry));
}

function noRevision(name: string, number: number) {
  return problem(
    'not-found',
    `Skill "${name}" has no state ${number}. Its history lists those it has.`,
  );
}
