import { basename } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Diagnostic } from '@knowhow/shared/skills';
import { pacedReadFile, pacedStat } from '../lib/paced-fs.ts';
import { decodeText } from './decode-text.ts';
import { diagnose } from './diagnostics.ts';
import { type EntryState, entryState, isSameState } from './folder-entry.ts';
import { reveal } from './hidden-characters.ts';
import { type FileRemark, inspectFiles } from './inspect-files.ts';
import { judgeReferences } from './judge-references.ts';
import type { PackedFile } from './packed-file.ts';
import { readSkillDocument } from './read-skill-document.ts';
import { slug } from './slug.ts';
import { unlessGone, type WalkedFile, walkFolder } from './walk-folder.ts';

/** Of a folder, so much is looked into: as much as an archive may hold. */
const maxFiles = 512;
const maxBytes = 16 * 1024 * 1024;
const maxFileBytes = 4 * 1024 * 1024;
const maxTold = 50;

/**
 * What there is to say of the files in a skill's folder beside what reading its `SKILL.md` tells: hidden
 * characters and what looks like a secret in any text file, and files that the instructions name and that
 * are not there. Takes too long for a scan of thousands; each state of a file is looked into once.
 * Throws a problem when the folder has gone.
 *
 * @param inspected what earlier calls found, which this one goes on from
 */
export async function diagnoseFolder(
  directory: string,
  inspected: InspectedFiles = new Map(),
): Promise<Diagnostic[]> {
  const { files } = await walkFolder(directory);
  const sorted = files.toSorted((one, other) => rank(one) - rank(other) || compare(one, other));
  let size = 0;
  const chosen = sorted.slice(0, maxFiles).filter((file) => {
    size += file.size <= maxFileBytes ? file.size : 0;
    return file.size <= maxFileBytes && size <= maxBytes;
  });
  const found: Diagnostic[] = [];
  for (const file of chosen) {
    found.push(...(await inspect(file, inspected)).map((remark) => asDiagnostic(file, remark)));
  }
  const more = found.length - maxTold;
  const skipped = files.length - chosen.length;
  return [
    ...found.slice(0, maxTold),
    ...(more > 0 ? [notTold(`There is as much to say of ${more} more places.`)] : []),
    ...(skipped > 0 ? [notTold(`${skipped} large or further files were not looked into.`)] : []),
    ...(await missingFiles(directory, sorted)),
  ];
}

function notTold(message: string): Diagnostic {
  return diagnose('files-not-inspected', { message });
}

/** The same of a skill that is not on the disk. */
export function diagnosePacked(id: string, files: readonly PackedFile[]): Diagnostic[] {
  const paths = files.map(({ path }) => path);
  const found = inspectFiles(files).flatMap(({ path, remarks }) =>
    remarks.filter(isTold).map((remark) => asDiagnostic({ path }, remark)),
  );
  const main = files.find(isMain);
  const missing = main ? diagnoseReferences(main.bytes, { id, files: paths }) : [];
  return [...found.slice(0, maxTold), ...missing];
}

function isMain({ path }: { path: string }): boolean {
  return path.toLowerCase() === 'skill.md';
}

/** What matters most comes first, and is looked into in any case. */
function rank(file: WalkedFile): number {
  return isMain(file) ? 0 : 1;
}

function compare(one: WalkedFile, other: WalkedFile): number {
  return one.path < other.path ? -1 : 1;
}

function asDiagnostic(file: { path: string }, { code, message, line }: FileRemark): Diagnostic {
  // Lines are those of SKILL.md.
  const told = isMain(file) ? { message, line } : { message: `${reveal(file.path)}: ${message}` };
  return diagnose(code === 'looks-like-secret' ? code : 'hidden-characters', told);
}

/** What was found in files, by real path; the oldest go first. */
export type InspectedFiles = Map<string, Inspected>;

interface Inspected {
  state: EntryState;
  remarks: readonly FileRemark[];
}

const maxKept = 20_000;

function isTold({ code }: FileRemark): boolean {
  return code === 'hidden-characters' || code === 'looks-like-secret';
}

async function inspect(
  { path, target }: WalkedFile,
  inspected: InspectedFiles,
): Promise<readonly FileRemark[]> {
  const stats = await unlessGone(pacedStat(target));
  const known = inspected.get(target);
  if (!stats || (known && isSameState(known.state, stats))) {
    return known?.remarks ?? [];
  }
  const bytes = await unlessGone(pacedReadFile(target));
  const [file] = bytes ? inspectFiles([{ path, bytes, executable: false }]) : [];
  await nextTurn();
  const remarks = file?.remarks.filter(isTold) ?? [];
  inspected.delete(target);
  inspected.set(target, { state: entryState(stats), remarks });
  const [oldest] = inspected.keys();
  if (inspected.size > maxKept && oldest !== undefined) {
    inspected.delete(oldest);
  }
  return remarks;
}

async function missingFiles(
  directory: string,
  files: readonly WalkedFile[],
): Promise<Diagnostic[]> {
  const main = files.find(isMain);
  const bytes =
    main && main.size <= maxFileBytes ? await unlessGone(pacedReadFile(main.target)) : undefined;
  const paths = files.map(({ path }) => path);
  return bytes ? diagnoseReferences(bytes, { id: slug(basename(directory)), files: paths }) : [];
}

/** The files that a `SKILL.md` names and that are not among those of its folder. */
export function diagnoseReferences(
  bytes: Uint8Array,
  folder: { id: string; files: readonly string[] },
): Diagnostic[] {
  const { body } = readSkillDocument(bytes);
  const lines = decodeText(bytes, []).split('\n').length;
  return judgeReferences(
    { text: body, firstLine: Math.max(1, lines - body.split('\n').length + 1) },
    folder,
  );
}
