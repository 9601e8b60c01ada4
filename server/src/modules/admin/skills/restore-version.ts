import type { AdminSkillDetail } from '@knowhow/shared/skills/admin-skill';
import { checkUnchanged } from '../../../platform/lib/check-unchanged.ts';
import { getFilesChecksum } from '../../../platform/lib/files-checksum.ts';
import { categoryOf, describeFiles } from '../../skills/index.ts';
import { writableEntry } from './change-skill.ts';
import { checkVersion } from './check-publication.ts';
import { describeSkill } from './describe-skill.ts';
import { endPreview } from './preview-version.ts';
import {
  auditMove,
  auditPolicy,
  getPublishingPolicy,
  rejectWithoutRight,
} from './publishing-policy.ts';
import type { SkillAdmin, SkillWrite } from './skill-admin.ts';
import { giveAssignments } from './skill-assignments.ts';
import { isWritable, noVersion } from './skill-entries.ts';
import { localEntry } from './skill-versions.ts';

/**
 * Restores a version as a new one, and ends its preview. Records the current files first; a deleted
 * skill gets back its assignments. Throws `check-failed` without a reason if a required check fails.
 */
export function restoreVersion(
  admin: SkillAdmin,
  { skill: name, by, expected, message, isPublisher, reason }: Restoration,
  number: number,
): Promise<AdminSkillDetail> {
  const { writer, versions, skills, audit } = admin;
  return writer.exclusive(async () => {
    refusePlugin(admin, name);
    const entry = localEntry(skills.snapshot, name, isWritable);
    const id = entry?.name ?? name;
    const former = entry ? [] : await readFormerCategories(admin, id);
    rejectWithoutRight(getPublishingPolicy(admin, id, ...former), isPublisher, id);
    const files = await versions.files(id, number);
    if (!files) {
      throw noVersion(id, number);
    }
    const policy = getPublishingPolicy(admin, id, categoryOf(files), ...former);
    rejectWithoutRight(policy, isPublisher, id);
    const path = entry?.path ?? id;
    const before = await skills.readWritable(path);
    const checksum = before && (await getFilesChecksum(before));
    checkUnchanged(expected, checksum);
    const override = await checkVersion(
      admin,
      {
        skill: id,
        packed: files,
        ...(await describeFiles(files)),
        published: async () => (before ? (await describeFiles(before)).manifest : []),
      },
      { reason, isPublisher, override: restoreWith(id, number) },
    );
    if (before) {
      await versions.keepBefore(id, before);
    }
    await writer.install(path, files);
    const assignments = await versions.assignments(id);
    if (assignments) {
      await giveAssignments(admin, id, assignments);
    }
    await skills.refresh(path);
    const change = { action: 'restored', by, summary: String(number) };
    const origin = { kind: 'restore' as const, detail: String(number) };
    await versions.record(id, { ...change, message, origin, override, files });
    await audit.record({
      ...change,
      kind: 'skill',
      target: id,
      before: before && { checksum },
      after: {
        version: number,
        checksum: await getFilesChecksum(files),
        override,
        ...auditPolicy(policy),
        ...(entry ? auditMove(entry.skill.category, categoryOf(files)) : {}),
      },
    });
    await endPreview(admin, { skill: id, number, by });
    return describeSkill(admin, id);
  });
}

function restoreWith(id: string, number: number): string {
  return `restore it with /api/skill-versions/${id}/${number}/restore?override= and a reason`;
}

type Restoration = Omit<SkillWrite, 'name' | 'origin'> & { skill: string };

/**
 * The categories of all versions of a deleted skill. They all count before the versions are deleted, or before a restore
 * gives back its assignments: another skill of the name may have been created and deleted since.
 */
export async function readFormerCategories(
  { versions }: SkillAdmin,
  id: string,
): Promise<(string | undefined)[]> {
  return (await versions.categories([id])).get(id) ?? [];
}

/** Throws `read-only` for a skill of a plugin. */
function refusePlugin(admin: SkillAdmin, name: string): void {
  if (localEntry(admin.skills.snapshot, name)?.source.writable === false) {
    writableEntry(admin, name);
  }
}
