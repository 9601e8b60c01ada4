import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { ArchiveReport, SkillReport } from '@knowhow/shared/skills/skill-archives';
import type { Diagnostic } from '@knowhow/shared/skills/skills';
import { getFilesChecksum } from '../../../platform/lib/files-checksum.ts';
import {
  allowsScripts,
  compareFiles,
  describeContent,
  describeLocation,
  diagnose,
  diagnoseImports,
  diagnoseReferences,
  inspectFiles,
  judgeNewSkill,
  type PackedFile,
  parseSkill,
  parseSkillTool,
  type ReadSources,
  readContent,
  toolFile,
} from '../../skills/index.ts';
import { reportFailures } from './check-publication.ts';
import { adminDiagnostics, estimateSkillTokens } from './describe-skill.ts';
import { diagnoseNeeds } from './diagnose-needs.ts';
import { diagnoseRuntimes, diagnoseToolCode } from './diagnose-runtimes.ts';
import { createHunkLimit } from './limit-hunks.ts';
import { diagnosticsOn, type PreparedSkill, prepareSkill } from './prepare-skill.ts';
import { getPublishingPolicy, needsReview } from './publishing-policy.ts';
import type { SkillAdmin } from './skill-admin.ts';
import { isAssigned } from './skill-assignments.ts';
import { mainFile } from './skill-edits.ts';
import { entriesNamed, findEntry, isWritable, type SkillEntry } from './skill-entries.ts';

/** Dry run: reports the content of an archive, and what an import by this administrator would do. */
export async function reportArchive(
  admin: SkillAdmin,
  { format, skills, leftOut, plugins }: ReadSources,
  isPublisher: boolean,
): Promise<ArchiveReport> {
  const { maxSkillBodyTokens } = admin.contents().skills.settings;
  const all: PreparedSkill[] = [];
  for (const archived of skills) {
    await yieldToEventLoop();
    all.push(prepareSkill(archived, undefined, maxSkillBodyTokens));
  }
  const importedNames = new Set(all.map(({ name }) => name));
  const reports: SkillReport[] = [];
  const limitHunks = createHunkLimit();
  for (const prepared of all) {
    await yieldToEventLoop();
    // For a bare SKILL.md, the other files are unknown.
    const missing = format === 'skill.md' ? [] : missingFiles(prepared);
    const imports = diagnoseImports(prepared.files);
    const diagnostics = [...prepared.diagnostics, ...imports, ...missing];
    const { conflict, ...replacement } = await reportReplacement(admin, prepared, importedNames);
    reports.push({
      ...(await reportSkill(admin, { ...prepared, diagnostics }, importedNames)),
      ...(conflict ? { conflict: { ...conflict, changes: limitHunks(conflict.changes) } } : {}),
      ...replacement,
      ...(isReviewed(admin, prepared, isPublisher) ? { needsReview: true } : {}),
    });
  }
  return {
    format,
    skills: reports,
    leftOut,
    ...(plugins.length > 0 ? { plugins: [...plugins] } : {}),
  };
}

/** The skill that an import replaces, and the checks that stop it. */
async function reportReplacement(
  admin: SkillAdmin,
  { name, files, refusals }: PreparedSkill,
  together: ReadonlySet<string>,
): Promise<Pick<SkillReport, 'conflict' | 'checks'>> {
  const entry = findConflict(admin, name);
  const before = await readReplaced(admin, name);
  const conflict = entry && (await describeConflict(entry, files, before));
  const isSame = conflict?.writable === true && conflict.changes.length === 0;
  const checks =
    refusals.length > 0
      ? []
      : await reportFailures(admin, { skill: name, files, before, together }, isSame);
  return {
    ...(conflict ? { conflict } : {}),
    ...(checks.length > 0 ? { checks } : {}),
  };
}

function isReviewed(
  admin: SkillAdmin,
  { name, skill }: PreparedSkill,
  isPublisher: boolean,
): boolean {
  return needsReview(getPublishingPolicy(admin, name, skill.category), isPublisher);
}

function missingFiles({ name, files }: PreparedSkill): Diagnostic[] {
  const paths = files.map(({ path }) => path);
  return diagnoseReferences(mainFile(files).bytes, { id: name, files: paths });
}

/** Reports on a `SKILL.md` in an existing or future folder. */
export function reportText(
  admin: SkillAdmin,
  bytes: Uint8Array,
  folder: string,
): Promise<ArchiveReport> {
  return reportFiles(admin, folder, [{ path: 'SKILL.md', bytes, executable: false }]);
}

/** Reports on an installed skill. */
export async function reportInstalled(admin: SkillAdmin, name: string): Promise<ArchiveReport> {
  const entry = findEntry(admin.skills.snapshot, name);
  return reportFiles(admin, entry.name, await readContent(entry));
}

/** Reports on the files of a skill with this name. */
export async function reportFiles(
  admin: SkillAdmin,
  name: string,
  files: readonly PackedFile[],
): Promise<ArchiveReport> {
  const { skill, body } = parseSkill(mainFile(files).bytes, name);
  const { diagnostics } = skill;
  const { maxSkillBodyTokens } = admin.contents().skills.settings;
  const verdict = judgeNewSkill({ diagnostics, body }, maxSkillBodyTokens);
  const prepared = {
    name,
    root: '',
    skill,
    body,
    files: [...files],
    diagnostics: [...diagnostics],
  };
  const report = await reportSkill(admin, { ...prepared, ...verdict });
  return { format: 'installed', skills: [report], leftOut: [] };
}

async function reportSkill(
  admin: SkillAdmin,
  prepared: Omit<PreparedSkill, 'filesBeforeRename'>,
  together?: ReadonlySet<string>,
): Promise<SkillReport> {
  const { name, root, skill, body, files, refusals, renamable, origin } = prepared;
  const isNew = together !== undefined && !findConflict(admin, name);
  const isAllowed = allowsScripts(name, admin.contents().skills);
  return {
    name,
    folder: root,
    displayName: skill.displayName,
    description: skill.description,
    accepted: refusals.length === 0,
    renamable,
    valid: skill.valid,
    diagnostics: adminDiagnostics(
      [
        ...diagnosticsOn(prepared),
        ...(isNew && isAssigned(admin.contents(), name) ? [diagnose('assignments-dropped')] : []),
        ...diagnoseNeeds({ ...skill, name }, admin, together),
        ...diagnoseRuntimes(skill, admin.scripts),
        ...diagnoseToolCode(toolIn(files), { runner: admin.scripts.runner, isAllowed }),
      ],
      skill,
    ),
    files: await inspect(files),
    bytes: files.reduce((sum, file) => sum + file.bytes.length, 0),
    tokens: estimateSkillTokens(skill, body),
    ...(origin ? { origin } : {}),
  };
}

function toolIn(files: readonly PackedFile[]) {
  const file = files.find(({ path }) => path === toolFile);
  return file && parseSkillTool(Buffer.from(file.bytes).toString('utf8'));
}

/** Yields to the event loop between files, because long texts take time. */
async function inspect(files: readonly PackedFile[]): Promise<SkillReport['files']> {
  const inspected: SkillReport['files'] = [];
  for (const file of files) {
    inspected.push(...inspectFiles([file]));
    await yieldToEventLoop();
  }
  return inspected;
}

/** The existing skill with this name, preferably a local one. */
export function findConflict(
  { skills }: Pick<SkillAdmin, 'skills'>,
  name: string,
): SkillEntry | undefined {
  const named = entriesNamed(skills.snapshot, name);
  return named.find(isWritable) ?? named[0];
}

/** The checksum of the skill with this name; undefined if there is none. */
export async function findChecksumHere(
  admin: Pick<SkillAdmin, 'skills'>,
  name: string,
): Promise<string | undefined> {
  const entry = findConflict(admin, name);
  return entry && (await describeContent(entry)).checksum;
}

/** The files that an import under this name replaces, even if they are no skill; undefined if there are none. */
export async function readReplaced(
  { skills }: Pick<SkillAdmin, 'skills'>,
  name: string,
): Promise<readonly PackedFile[] | undefined> {
  const entry = findConflict({ skills }, name);
  return entry && isWritable(entry) ? readContent(entry) : skills.readWritable(name);
}

/** @param before the files that are replaced, if the skill is writable */
async function describeConflict(
  entry: SkillEntry,
  files: PreparedSkill['files'],
  before: readonly PackedFile[] | undefined,
): Promise<NonNullable<SkillReport['conflict']>> {
  const { checksum, ...figures } = await describeContent(entry);
  const isSame = checksum === (await getFilesChecksum(files));
  return {
    location: describeLocation(entry),
    writable: isWritable(entry),
    description: entry.skill.description,
    updatedAt: figures.updatedAt,
    files: figures.files,
    bytes: figures.bytes,
    changes: isSame
      ? []
      : compareFiles(isWritable(entry) && before ? before : await readContent(entry), files),
  };
}
