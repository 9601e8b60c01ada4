import { problem } from '@knowhow/shared/problem';
import type { AdminSkillDetail } from '@knowhow/shared/skills/admin-skill';
import { checkUnchanged } from '../../../platform/lib/check-unchanged.ts';
import { getFilesChecksum } from '../../../platform/lib/files-checksum.ts';
import { categoryOf, describeLocation, readContent } from '../../skills/index.ts';
import { checkWrite } from './check-publication.ts';
import { describeSkill } from './describe-skill.ts';
import { memoryWriter } from './memory-writer.ts';
import {
  auditMove,
  auditPolicy,
  getPublishingPolicy,
  rejectUnreviewed,
} from './publishing-policy.ts';
import type { SkillAdmin, SkillWrite } from './skill-admin.ts';
import type { FileWriter, SkillEdit } from './skill-edit.ts';
import { findEntry, isWritable, type SkillEntry } from './skill-entries.ts';

/**
 * Changes a local skill exclusively: checks the expected checksum and the files after the edit, and records a
 * version. Returns the updated skill. Throws `check-failed` if the edit adds a finding to a required check.
 *
 * @param edit called with a writer in memory, too: the checks precede the write
 */
export function changeSkill(
  admin: SkillAdmin,
  { name, by, expected, message, origin, isPublisher, reason }: SkillWrite,
  edit: (writer: FileWriter) => SkillEdit,
): Promise<AdminSkillDetail> {
  const { writer, skills, versions, audit } = admin;
  return writer.exclusive(async () => {
    rejectUnreviewed(getPublishingPolicy(admin, name), isPublisher, name);
    const entry = writableEntry(admin, name);
    const before = await readContent(entry);
    const checksum = await getFilesChecksum(before);
    checkUnchanged(expected, checksum);
    const memory = memoryWriter(before);
    await edit(memory.writer).write(entry.path, before);
    const files = memory.files();
    const category = categoryOf(files);
    const policy = getPublishingPolicy(admin, entry.name, category);
    rejectUnreviewed(policy, isPublisher, entry.name);
    const checked = { skill: entry.name, before, files };
    const override = await checkWrite(admin, checked, { reason, isPublisher });
    await versions.keepBefore(entry.name, before);
    const { action, summary, write } = edit(writer);
    await (writer.isWhole ? writer.install(entry.path, files) : write(entry.path, before));
    await skills.refresh(entry.path);
    const after = writer.isWhole ? files : await readContent(entry);
    const change = { action, summary, message, origin, by, override };
    await versions.record(entry.name, { ...change, files: after });
    await audit.record({
      by,
      action,
      kind: 'skill',
      target: entry.name,
      before: { summary, checksum },
      after: {
        summary,
        checksum: await getFilesChecksum(after),
        override,
        ...auditPolicy(policy),
        ...auditMove(entry.skill.category, category),
      },
    });
    return describeSkill(admin, entry.name);
  });
}

/** Finds a local skill by name. Throws `not-found`, or `read-only` for one of another source. */
export function writableEntry({ skills }: SkillAdmin, name: string): SkillEntry {
  const entry = findEntry(skills.snapshot, name);
  if (!isWritable(entry)) {
    throw problem(
      'read-only',
      `Skill "${entry.name}" comes from ${describeLocation(entry)}, which is read-only. Copy it to local first, then change the copy.`,
    );
  }
  return entry;
}
