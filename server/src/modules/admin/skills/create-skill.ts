import { problem } from '@knowhow/shared/problem';
import type { AdminSkillDetail } from '@knowhow/shared/skills/admin-skill';
import type { adminSkillsApi } from '@knowhow/shared/skills/admin-skills';
import type { z } from 'zod';
import { checkUnchanged } from '../../../platform/lib/check-unchanged.ts';
import { getFilesChecksum } from '../../../platform/lib/files-checksum.ts';
import {
  categoryOf,
  describeLocation,
  getSkillSettings,
  judgeNewSkill,
  type PackedFile,
  parseSkill,
  readContent,
  renameSkill,
  shownTexts,
  tagFaults,
  writeSkillFile,
} from '../../skills/index.ts';
import { rejectBlocked } from './block-skill.ts';
import { writableEntry } from './change-skill.ts';
import { checkWrite } from './check-publication.ts';
import { describeSkill } from './describe-skill.ts';
import { checkSkillName, diagnosticsToIssues } from './new-skill-name.ts';
import {
  auditPolicy,
  getPublishingPolicy,
  rejectUnreviewed,
  rejectWithoutRight,
} from './publishing-policy.ts';
import type { SkillAdmin, SkillWrite } from './skill-admin.ts';
import { clearAssignments, giveAssignments, takeAssignments } from './skill-assignments.ts';
import { checkSizes, mainFile } from './skill-edits.ts';
import { findEntry, isWritable, skillEntries } from './skill-entries.ts';
import { writeEntry } from './update-skill.ts';

export type NewSkill = z.output<typeof adminSkillsApi.create.body>;

/** Creates a skill with one file. */
export function createSkill(
  admin: SkillAdmin,
  { by, message, origin, isPublisher, reason }: Authorship,
  { name, description, body, metadata, displayName, ...top }: NewSkill,
): Promise<AdminSkillDetail> {
  checkSkillName(name);
  const text = writeSkillFile({ name, description, ...top, metadata }, body);
  const bytes = Buffer.from(text);
  const { maxSkillBodyTokens } = admin.contents().skills.settings;
  const parsed = parseSkill(bytes, name);
  const { diagnostics } = parsed.skill;
  const verdict = judgeNewSkill({ diagnostics, body: parsed.body }, maxSkillBodyTokens);
  // Invalid tags are tolerated in imported skills, but not in new ones.
  const refusals = [...verdict.refusals, ...diagnostics.filter(({ code }) => tagFaults.has(code))];
  if (refusals.length > 0) {
    throw problem('invalid-skill', refusals.map(({ message }) => message).join(' '), {
      issues: diagnosticsToIssues('SKILL.md', refusals),
    });
  }
  const file = { path: 'SKILL.md', bytes, executable: false };
  checkSizes([], file, admin.sizeLimits);
  return addSkill(admin, {
    name,
    by,
    files: [file],
    action: 'created',
    summary: '',
    displayName,
    message,
    origin,
    isPublisher,
    reason,
  });
}

/**
 * Copies a skill of any source, unless it is blocked. The copy of a read-only skill may keep its
 * name: it then takes precedence.
 */
export async function duplicateSkill(
  admin: SkillAdmin,
  { name, by, message, origin, isPublisher, reason }: Authorship & { name: string },
  newName: string,
): Promise<AdminSkillDetail> {
  checkSkillName(newName);
  const entry = findEntry(admin.skills.snapshot, name);
  rejectBlocked(admin, entry.name);
  const files = await readContent(entry, admin.sizeLimits);
  const main = mainFile(files);
  const others = files.filter((file) => file !== main);
  const bytes = newName === entry.name ? main.bytes : Buffer.from(renameSkill(main.bytes, newName));
  return addSkill(admin, {
    name: newName,
    by,
    files: [{ ...main, path: 'SKILL.md', bytes }, ...others],
    action: 'duplicated',
    summary: describeLocation(entry),
    message,
    origin,
    isPublisher,
    reason,
    mayHide: newName === entry.name && !isWritable(entry),
  });
}

type Authorship = Pick<SkillWrite, 'by' | 'message' | 'origin' | 'isPublisher' | 'reason'>;

interface Addition extends Authorship {
  name: string;
  files: readonly PackedFile[];
  action: string;
  summary: string;
  /** Whether a skill of another source may have this name. */
  mayHide?: boolean;
  displayName?: string | undefined;
}

function addSkill(
  admin: SkillAdmin,
  { name, mayHide = false, displayName, isPublisher, reason, ...change }: Addition,
): Promise<AdminSkillDetail> {
  const { writer, skills, versions, audit } = admin;
  const { by, files, action } = change;
  return writer.exclusive(async () => {
    const policy = getPublishingPolicy(admin, name, categoryOf(files));
    rejectUnreviewed(policy, isPublisher, name);
    await checkFree(admin, name, mayHide);
    const checked = { skill: name, before: undefined, files };
    const override = await checkWrite(admin, checked, { reason, isPublisher });
    if (!mayHide) {
      await clearAssignments(admin, [name]);
    }
    if (displayName !== undefined) {
      // First: if this fails, nothing has been created, and the user can retry.
      await writeEntry(admin, name, { overrides: { displayName } });
    }
    await writer.install(name, files);
    await skills.refresh(name);
    await versions.record(name, { ...change, override });
    const checksum = await getFilesChecksum(files);
    const after = {
      checksum,
      files: files.length,
      displayName,
      override,
      ...auditPolicy(policy),
    };
    await audit.record({ by, action, kind: 'skill', target: name, after });
    return describeSkill(admin, name);
  });
}

/** Throws `name-taken` if a skill, or any local folder, has the name. */
async function checkFree(admin: SkillAdmin, name: string, mayHide = false): Promise<void> {
  // Its folder may have been deleted by hand just now.
  await admin.skills.refresh(name);
  const location = await findNameConflict(admin, name, mayHide);
  if (location !== undefined) {
    throw problem(
      'name-taken',
      `A skill named "${name}" already exists (${location}). Choose another name.`,
    );
  }
}

/** The location of the skill with this name, in the form for admins. */
export async function findNameConflict(
  { skills }: Pick<SkillAdmin, 'skills'>,
  name: string,
  mayHide = false,
): Promise<string | undefined> {
  const taken = skillEntries(skills.snapshot).find(
    (entry) => entry.name === name && (isWritable(entry) || !mayHide),
  );
  if (taken) {
    return describeLocation(taken);
  }
  return (await skills.readWritable(name)) ? `local:${name}` : undefined;
}

/** Deletes a local skill. Returns the number of the version that restores it. */
export function removeSkill(
  admin: SkillAdmin,
  { name, by, expected, message, origin, isPublisher }: SkillWrite,
): Promise<{ name: string; restorable: number }> {
  const { writer, skills, versions, audit } = admin;
  return writer.exclusive(async () => {
    const policy = getPublishingPolicy(admin, name);
    rejectWithoutRight(policy, isPublisher, name);
    const entry = writableEntry(admin, name);
    const files = await readContent(entry);
    const checksum = await getFilesChecksum(files);
    checkUnchanged(expected, checksum);
    await versions.keepBefore(entry.name, files);
    const { items } = await versions.list(entry.name, { limit: 1 });
    const { skills: config } = admin.contents();
    const { displayName } = shownTexts(entry.skill, getSkillSettings(entry.name, config));
    // A skill that this one shadows has the same name, so assignments apply to it.
    const isShadowing = skillEntries(skills.snapshot).some(
      (other) => other.name === entry.name && !isWritable(other),
    );
    const assignments = isShadowing ? {} : await takeAssignments(admin, entry.name);
    const change = { action: 'deleted', by, summary: describeLocation(entry) };
    const kept = { ...assignments, displayName };
    const version = { ...change, message, origin, files: undefined, assignments: kept };
    try {
      await writer.remove(entry.path);
      await skills.refresh(entry.path);
      await versions.record(entry.name, version);
    } catch (error) {
      await giveAssignments(admin, entry.name, assignments);
      throw error;
    }
    const { apps = {}, groups = [] } = assignments;
    const before = {
      checksum,
      files: files.length,
      apps: Object.keys(apps),
      groups,
      ...auditPolicy(policy),
    };
    await audit.record({ ...change, kind: 'skill', target: entry.name, before });
    return { name: entry.name, restorable: items[0]?.number ?? 1 };
  });
}
