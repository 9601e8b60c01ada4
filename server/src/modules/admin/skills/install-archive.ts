import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { type ProblemIssue, problem } from '@knowhow/shared/problem';
import { type GitCommit, writeGitOrigin } from '@knowhow/shared/skills/git-commit';
import type { CheckOverride } from '@knowhow/shared/skills/publication-checks';
import type { PublishingPolicy } from '@knowhow/shared/skills/publishing-policy';
import type { Installed } from '@knowhow/shared/skills/skill-archives';
import { checkUnchanged, nothingYet } from '../../../platform/lib/check-unchanged.ts';
import { getFilesChecksum } from '../../../platform/lib/files-checksum.ts';
import { formatCount } from '../../../platform/lib/format-count.ts';
import { groupBy } from '../../../platform/lib/group-by.ts';
import { listSome } from '../../../platform/lib/list-some.ts';
import type { PackedFile, ReadSources, StoredVersion } from '../../skills/index.ts';
import { categoryOf } from '../../skills/index.ts';
import { rejectBlockedFiles } from './block-skill.ts';
import { checkWrites } from './check-publication.ts';
import { findNameConflict } from './create-skill.ts';
import { checkSkillName, diagnosticsToIssues } from './new-skill-name.ts';
import { namedTwice, type PreparedSkill, prepareSkill } from './prepare-skill.ts';
import {
  auditMove,
  auditPolicy,
  getPublishingPolicy,
  rejectUnreviewed,
} from './publishing-policy.ts';
import { findChecksumHere, findConflict, readReplaced } from './report-archive.ts';
import type { SkillAdmin, SkillWrite } from './skill-admin.ts';
import { clearAssignments } from './skill-assignments.ts';
import { isWritable } from './skill-entries.ts';
import { withEntries } from './with-entries.ts';

/** Options for installing an archive. */
interface Installation {
  /** Replace skills with the same name. */
  overwrite: boolean;
  /** Names or roots to install; default: all. */
  select: readonly string[] | undefined;
  /** `folder:new-name`. */
  rename: readonly string[];
  /** Skills whose files were merged with those that they replace. */
  merged?: ReadonlySet<string>;
  /** Checksums of what skills replace, as the caller has read it; undefined for a skill that is new. */
  expected?: ReadonlyMap<string, string | undefined>;
}

/**
 * Installs skills of an archive: all selected ones, or none if anything is rejected, such as by a required check.
 */
export async function installArchive(
  admin: SkillAdmin,
  {
    by,
    message,
    isPublisher,
    reason,
  }: Pick<SkillWrite, 'by' | 'message' | 'isPublisher' | 'reason'>,
  { skills, leftOut, fileName, commit }: ReadSources,
  { overwrite, select, rename, merged = new Set(), expected = new Map() }: Installation,
): Promise<Installed> {
  const newNames = parseRenames(rename);
  const { maxSkillBodyTokens } = admin.contents().skills.settings;
  const prepared: PreparedSkill[] = [];
  for (const archived of skills) {
    await yieldToEventLoop();
    prepared.push(prepareSkill(archived, newNames.get(archived.root), maxSkillBodyTokens));
  }
  const chosen = choose(prepared, select);
  rejectInvalid(chosen);
  return admin.writer.exclusive(async () => {
    const policies = new Map(
      chosen.map(({ name, skill }) => [name, getPublishingPolicy(admin, name, skill.category)]),
    );
    for (const [name, policy] of policies) {
      rejectUnreviewed(policy, isPublisher, name);
    }
    for (const { filesBeforeRename } of chosen) {
      await rejectBlockedFiles(admin, filesBeforeRename);
    }
    await rejectConflicts(admin, chosen, overwrite);
    for (const [name, checksum = nothingYet] of expected) {
      await yieldToEventLoop();
      checkUnchanged(checksum, await findChecksumHere(admin, name));
    }
    const overrides = await checkWrites(admin, readChanges(admin, chosen), { reason, isPublisher });
    const added = chosen.filter(({ name }) => !findConflict(admin, name));
    await clearAssignments(
      admin,
      added.map(({ name }) => name),
    );
    await switchOff(admin, chosen);
    const installed: Installed['installed'] = [];
    for (let start = 0; start < chosen.length; start += maxTogether) {
      const some = chosen.slice(start, start + maxTogether);
      installed.push(
        ...(await installSome(
          admin,
          { by, message, fileName, commit, overrides, policies, merged },
          some,
        )),
      );
    }
    return { installed, leftOut };
  });
}

function parseRenames(rename: readonly string[]): Map<string, string> {
  return new Map(
    rename.map((pair) => {
      const colon = pair.lastIndexOf(':');
      const newName = pair.slice(colon + 1);
      if (colon < 0) {
        throw problem('invalid-request', `rename takes "folder:new-name", not "${pair}".`);
      }
      checkSkillName(newName);
      return [pair.slice(0, colon), newName] as const;
    }),
  );
}

function choose(
  prepared: readonly PreparedSkill[],
  select: readonly string[] | undefined,
): readonly PreparedSkill[] {
  if (!select) {
    return prepared;
  }
  // A root identifies one skill; a name may be another skill's root.
  const byRoot = new Map(prepared.map((each) => [each.root, each]));
  const byName = groupBy(prepared, ({ name }) => name);
  const wanted = select.map((each) => ({
    each,
    found: byRoot.get(each) ?? byName.get(each)?.[0],
  }));
  const unknown = wanted.filter(({ found }) => !found).map(({ each }) => each);
  if (unknown.length > 0) {
    throw problem(
      'invalid-request',
      `Not in the archive: ${listSome(unknown, 20)}. Validate it to see what is.`,
    );
  }
  const chosen = new Set(wanted.map(({ found }) => found));
  return prepared.filter((each) => chosen.has(each));
}

/** Reports all issues together. */
function rejectInvalid(chosen: readonly PreparedSkill[]): void {
  const issues = chosen.flatMap(({ root, refusals }) =>
    diagnosticsToIssues(root === '' ? 'SKILL.md' : `${root}/SKILL.md`, refusals),
  );
  issues.push(...namedTwice(chosen).map(({ skill, ...fault }) => ({ path: skill.root, ...fault })));
  if (issues.length > 0) {
    throw problem('invalid-skill', sentenceOf(issues), { issues });
  }
}

function sentenceOf(issues: readonly ProblemIssue[]): string {
  const [first] = issues;
  const more = issues.length > 1 ? ` And ${issues.length - 1} more.` : '';
  return `${first?.path}: ${first?.message}${more}`;
}

async function rejectConflicts(
  admin: SkillAdmin,
  chosen: readonly PreparedSkill[],
  overwrite: boolean,
): Promise<void> {
  if (overwrite) {
    return;
  }
  const issues: ProblemIssue[] = [];
  for (const { name, skill, files } of chosen) {
    const taken = await findNameConflict(admin, name);
    if (taken !== undefined) {
      const known = findConflict(admin, name)?.skill.description ?? '';
      const message = `There is "${name}" already (${taken}: ${known}). The new one has ${formatCount(files.length, 'file')}: ${skill.description}`;
      issues.push({ path: name, code: 'name-taken', message });
    }
  }
  if (issues.length > 0) {
    const taken = issues.map(({ path }) => `"${path}"`).join(', ');
    throw problem(
      'name-taken',
      `There is ${taken} already. Rename it, leave it out, or replace what is there with overwrite=true.`,
      { issues },
    );
  }
}

/** The skills whose files change, with those that they replace. */
async function* readChanges(admin: SkillAdmin, chosen: readonly PreparedSkill[]) {
  const together = new Set(chosen.map(({ name }) => name));
  for (const prepared of chosen) {
    await yieldToEventLoop();
    const { before, checksum, checksumBefore } = await compare(admin, prepared);
    if (checksum !== checksumBefore) {
      yield { skill: prepared.name, files: prepared.files, before, together };
    }
  }
}

/**
 * Disables skills before they are installed, so that they are never offered in between. A replaced
 * skill keeps its state.
 */
async function switchOff(admin: SkillAdmin, chosen: readonly PreparedSkill[]): Promise<void> {
  const names = chosen
    .filter(({ name, origin }) => origin?.off === true && !findConflict(admin, name))
    .map(({ name }) => name);
  if (names.length > 0) {
    await admin.contentWriter.transaction(({ updateSkillsConfig }) =>
      updateSkillsConfig((raw) => withEntries(raw, names, { enabled: false })),
    );
  }
}

interface Import extends Pick<SkillWrite, 'by' | 'message'> {
  fileName: string | undefined;
  commit: GitCommit | undefined;
  /** By the name of the skill. */
  overrides: ReadonlyMap<string, CheckOverride>;
  /** By the name of the skill. */
  policies: ReadonlyMap<string, PublishingPolicy>;
  merged: ReadonlySet<string>;
}

/** The origin of a version: a folder of a commit, or a file. */
function originOf({ fileName, commit }: Import, root: string): StoredVersion['origin'] {
  if (commit) {
    return { kind: 'git', detail: writeGitOrigin({ ...commit, path: root }) };
  }
  return { kind: 'import', ...(fileName === undefined ? {} : { detail: fileName }) };
}

/**
 * Number of skills that are written, read again, recorded and audited together: each round takes longer the more skills
 * there are, and one of many files keeps the database busy.
 */
const maxTogether = 60;

/** Installs some skills. If one cannot be written, those that were are recorded. */
async function installSome(
  admin: SkillAdmin,
  imported: Import,
  some: readonly PreparedSkill[],
): Promise<Installed['installed']> {
  const all: Replacement[] = [];
  for (const each of some) {
    all.push(await compare(admin, each));
  }
  const changed = all.filter(isChange);
  const written: Replacement[] = [];
  try {
    for (const { prepared, before } of changed) {
      if (before) {
        await admin.versions.keepBefore(prepared.name, before);
      }
    }
    const folders = changed.map((each) => ({ ...each, files: each.prepared.files }));
    await admin.writer.installAll(folders, (each) => {
      written.push(each);
    });
  } finally {
    await record(admin, imported, written);
  }
  return all.map(describeInstalled);
}

/** A skill to install, and what it replaces. */
interface Replacement {
  prepared: PreparedSkill;
  /** Relative to the folder of local skills. */
  folder: string;
  before: readonly PackedFile[] | undefined;
  checksum: string;
  checksumBefore: string | undefined;
}

async function compare(admin: SkillAdmin, prepared: PreparedSkill): Promise<Replacement> {
  const { name, files } = prepared;
  const entry = findConflict(admin, name);
  const before = await readReplaced(admin, name);
  return {
    prepared,
    folder: entry && isWritable(entry) ? entry.path : name,
    before,
    checksum: await getFilesChecksum(files),
    checksumBefore: before && (await getFilesChecksum(before)),
  };
}

function isChange({ checksum, checksumBefore }: Replacement): boolean {
  return checksum !== checksumBefore;
}

/** Offers written skills, and records their versions and who installed them. */
async function record(
  { skills, versions, audit }: SkillAdmin,
  imported: Import,
  written: readonly Replacement[],
): Promise<void> {
  if (written.length === 0) {
    return;
  }
  const { by, message } = imported;
  const actionOf = (name: string) => (imported.merged.has(name) ? 'merged' : 'imported');
  await skills.refresh(...written.map(({ folder }) => folder));
  await versions.recordAll(
    written.map(({ prepared: { name, root, files } }) => ({
      skill: name,
      ...{ action: actionOf(name), summary: '', message, by, files },
      origin: originOf(imported, root),
      override: imported.overrides.get(name),
    })),
  );
  await audit.record(
    ...written.map(({ prepared: { name, files, skill }, before, checksum, checksumBefore }) => ({
      by,
      action: actionOf(name),
      kind: 'skill' as const,
      target: name,
      before: before && { checksum: checksumBefore, files: before.length },
      after: {
        checksum,
        files: files.length,
        description: skill.description,
        override: imported.overrides.get(name),
        ...policyNote(imported, name),
        ...(before ? auditMove(categoryOf(before), skill.category) : {}),
      },
    })),
  );
}

function policyNote({ policies }: Import, name: string) {
  const policy = policies.get(name);
  return policy ? auditPolicy(policy) : {};
}

function describeInstalled({
  prepared: { name, files, diagnostics, origin },
  before,
  checksum,
  checksumBefore,
}: Replacement): Installed['installed'][number] {
  const bytes = files.reduce((sum, file) => sum + file.bytes.length, 0);
  const done = { name, files: files.length, bytes, checksum, diagnostics };
  if (checksum === checksumBefore) {
    return { ...done, action: 'unchanged' };
  }
  const isOff = origin?.off && !before;
  return { ...done, action: before ? 'replaced' : 'created', ...(isOff ? { off: true } : {}) };
}
