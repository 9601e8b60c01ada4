import { basename } from 'node:path';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { Diagnostic } from '@knowhow/shared/skills';
import { pacedReadFile, pacedStat } from '../lib/paced-fs.ts';
import {
  diagnose,
  diagnoseFiles,
  diagnoseReferences,
  isSkillFile,
  maxListed,
  slug,
} from '../skill-format/skill-format.ts';
import { type EntryState, entryState, isSameState } from './folder-entry.ts';
import { unlessGone, type WalkedFile, walkFolder } from './walk-folder.ts';

/** Of a folder, so much is looked into: as much as an archive may hold. */
const maxFiles = 512;
const maxBytes = 16 * 1024 * 1024;
const maxFileBytes = 4 * 1024 * 1024;

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
    found.push(...(await inspect(file, inspected)));
  }
  const more = found.length - maxListed;
  const skipped = files.length - chosen.length;
  return [
    ...found.slice(0, maxListed),
    ...(more > 0
      ? [diagnose('files-not-inspected', { text: 'files-more', values: { more } })]
      : []),
    ...(skipped > 0
      ? [diagnose('files-not-inspected', { text: 'files-skipped', values: { skipped } })]
      : []),
    ...(await missingFiles(directory, sorted)),
  ];
}

/** What matters most comes first, and is looked into in any case. */
function rank(file: WalkedFile): number {
  return isSkillFile(file) ? 0 : 1;
}

function compare(one: WalkedFile, other: WalkedFile): number {
  return one.path < other.path ? -1 : 1;
}

/** What was found in files, by real path; the oldest go first. */
export type InspectedFiles = Map<string, Inspected>;

interface Inspected {
  state: EntryState;
  found: readonly Diagnostic[];
}

const maxKept = 20_000;

async function inspect(
  { path, target }: WalkedFile,
  inspected: InspectedFiles,
): Promise<readonly Diagnostic[]> {
  const stats = await unlessGone(pacedStat(target));
  const known = inspected.get(target);
  if (!stats || (known && isSameState(known.state, stats))) {
    return known?.found ?? [];
  }
  const bytes = await unlessGone(pacedReadFile(target));
  const found = bytes ? diagnoseFiles([{ path, bytes, executable: false }]) : [];
  await yieldToEventLoop();
  inspected.delete(target);
  inspected.set(target, { state: entryState(stats), found });
  const [oldest] = inspected.keys();
  if (inspected.size > maxKept && oldest !== undefined) {
    inspected.delete(oldest);
  }
  return found;
}

async function missingFiles(
  directory: string,
  files: readonly WalkedFile[],
): Promise<Diagnostic[]> {
  const main = files.find(isSkillFile);
  const bytes =
    main && main.size <= maxFileBytes ? await unlessGone(pacedReadFile(main.target)) : undefined;
  const paths = files.map(({ path }) => path);
  return bytes ? diagnoseReferences(bytes, { id: slug(basename(directory)), files: paths }) : [];
}
