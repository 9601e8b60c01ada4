import { problem } from '@knowhow/shared/problem';
import type { AdminSkillDetail } from '@knowhow/shared/skills/admin-skill';
import { checkUnchanged } from '../content/check-unchanged.ts';
import { checksumOf } from '../lib/files-checksum.ts';
import type { PackedFile } from '../skill-format/skill-format.ts';
import { readContent } from '../skill-store/skill-content.ts';
import { locationOf } from '../skill-store/skill-source.ts';
import { describeSkill } from './describe-skill.ts';
import type { Change, SkillAdmin } from './skill-admin.ts';
import { findEntry, isWritable, type SkillEntry } from './skill-entries.ts';

/** One change of a skill's files. */
export interface SkillEdit {
  /** As history and audit call it, such as `file-written`. */
  action: string;
  /** Such as the path of the file. */
  summary: string;
  /** Looks at the files as they are, refuses by throwing, and writes. */
  write: (folder: string, files: readonly PackedFile[]) => Promise<void>;
}

/**
 * Changes a local skill: one change at a time, only what was seen, the former state kept. Answers the
 * skill as it is then.
 */
export function changeSkill(
  admin: SkillAdmin,
  { name, by, expected }: Change & { name: string },
  { action, summary, write }: SkillEdit,
): Promise<AdminSkillDetail> {
  const { writer, skills, history, audit } = admin;
  return writer.exclusive(async () => {
    const entry = writableEntry(admin, name);
    const before = await readContent(entry);
    checkUnchanged(expected, checksumOf(before));
    await history.keepBefore(entry.name, before);
    await write(entry.path, before);
    await skills.refresh(entry.path);
    const after = await readContent(entry);
    await history.record(entry.name, { action, summary, by, files: after });
    await audit.record({
      by,
      action,
      kind: 'skill',
      target: entry.name,
      before: { summary, checksum: checksumOf(before) },
      after: { summary, checksum: checksumOf(after) },
    });
    return describeSkill(admin, entry.name);
  });
}

/** The local skill of that name. Throws `not-found`, or `read-only` for one of another source. */
export function writableEntry({ skills }: SkillAdmin, name: string): SkillEntry {
  const entry = findEntry(skills.snapshot, name);
  if (!isWritable(entry)) {
    throw problem(
      'read-only',
      `Skill "${entry.name}" comes from ${locationOf(entry)}, which is only read. Copy it to local first, then change the copy.`,
    );
  }
  return entry;
}
