import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { type ProblemIssue, problem } from '@knowhow/shared/problem';
import { type GitCommit, writeGitOrigin } from '@knowhow/shared/skills/git-commit';
import type { Installed } from '@knowhow/shared/skills/skill-archives';
import { getFilesChecksum } from '../../../platform/lib/files-checksum.ts';
import { formatCount } from '../../../platform/lib/format-count.ts';
import { type ReadSources, readContent, type StoredVersion } from '../../skills/index.ts';
import { rejectBlockedFiles } from './block-skill.ts';
import { findNameConflict } from './create-skill.ts';
import { checkSkillName, diagnosticsToIssues } from './new-skill-name.ts';
import { namedTwice, type PreparedSkill, prepareSkill } from './prepare-skill.ts';
import { rejectUnreviewed } from './publishing-policy.ts';
import { findConflict } from './report-archive.ts';
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
}

/** Installs skills of an archive: all selected ones, or none if anything is rejected. */
export async function installArchive(
  admin: SkillAdmin,
  { by, message, isPublisher }: Pick<SkillWrite, 'by' | 'message' | 'isPublisher'>,
  { skills, leftOut, fileName, commit }: ReadSources,
  { overwrite, select, rename }: Installation,
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
    for (const { name } of chosen) {
      rejectUnreviewed(admin, isPublisher, name);
    }
    for (const { filesBeforeRename } of chosen) {
      await rejectBlockedFiles(admin, filesBeforeRename);
    }
    await rejectConflicts(admin, chosen, overwrite);
    const added = chosen.filter(({ name }) => !findConflict(admin, name));
    await clearAssignments(
      admin,
      added.map(({ name }) => name),
    );
    await switchOff(admin, chosen);
    const installed: Installed['installed'] = [];
    for (const each of chosen) {
      installed.push(await install(admin, { by, message, fileName, commit }, each));
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
  const wanted = select.map((each) => ({
    each,
    found: prepared.find(({ root }) => root === each) ?? prepared.find(({ name }) => name === each),
  }));
  const unknown = wanted.filter(({ found }) => !found).map(({ each }) => each);
  if (unknown.length > 0) {
    throw problem(
      'invalid-request',
      `Not in the archive: ${unknown.join(', ')}. Validate it to see what is.`,
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
}

/** The origin of a version: a folder of a commit, or a file. */
function originOf({ fileName, commit }: Import, root: string): StoredVersion['origin'] {
  if (commit) {
    return { kind: 'git', detail: writeGitOrigin({ ...commit, path: root }) };
  }
  return { kind: 'import', ...(fileName === undefined ? {} : { detail: fileName }) };
}

async function install(
  admin: SkillAdmin,
  imported: Import,
  { name, root, files, skill, diagnostics, origin }: PreparedSkill,
): Promise<Installed['installed'][number]> {
  const { by, message } = imported;
  const { skills, writer, versions, audit } = admin;
  const entry = findConflict(admin, name);
  const old = entry && isWritable(entry) ? entry : undefined;
  // The folder may also contain something other than a skill.
  const before = await (old ? readContent(old) : skills.readWritable(name));
  const checksum = await getFilesChecksum(files);
  const checksumBefore = before && (await getFilesChecksum(before));
  const bytes = files.reduce((sum, file) => sum + file.bytes.length, 0);
  const done = { name, files: files.length, bytes, checksum, diagnostics };
  if (checksumBefore === checksum) {
    return { ...done, action: 'unchanged' };
  }
  if (before) {
    await versions.keepBefore(name, before);
  }
  const folder = old ? old.path : name;
  await writer.install(folder, files);
  await skills.refresh(folder);
  const action = before ? 'replaced' : 'created';
  await versions.record(name, {
    action: 'imported',
    summary: '',
    message,
    origin: originOf(imported, root),
    by,
    files,
  });
  await audit.record({
    by,
    action: 'imported',
    kind: 'skill',
    target: name,
    before: before && { checksum: checksumBefore, files: before.length },
    after: { checksum, files: files.length, description: skill.description },
  });
  return { ...done, action, ...(origin?.off && !before ? { off: true } : {}) };
}
