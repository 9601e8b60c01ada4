import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { Diagnostic } from '@knowhow/shared/skills/skills';
import {
  diagnose,
  diagnoseFiles,
  diagnoseReferences,
  type ImportingFile,
  importedModules,
  isSkillFile,
  judgeImports,
  maxListed,
  reveal,
} from '../skill-format/skill-format.ts';
import { idOf, type SkillLocation, type SourceFile } from './skill-source.ts';

/** Of a folder, so much is looked into: as much as an archive may hold. */
const maxFiles = 512;
const maxBytes = 16 * 1024 * 1024;
const maxFileBytes = 4 * 1024 * 1024;

/**
 * What there is to say of the files in a skill's folder beside what reading its `SKILL.md` shows: hidden
 * characters and what looks like a secret in any text file, and files that the instructions name and that
 * are not there. Takes too long for a scan of thousands; each state of a file is looked into once.
 * Throws a problem when the folder has gone.
 *
 * @param inspected what earlier calls found, which this one goes on from
 */
export async function diagnoseContent(
  location: SkillLocation,
  inspected: InspectedFiles = new Map(),
): Promise<Diagnostic[]> {
  const { files, brokenLinks = [] } = await location.source.files(location.path);
  const sorted = files.toSorted((one, other) => rank(one) - rank(other) || compare(one, other));
  let size = 0;
  const chosen = sorted.slice(0, maxFiles).filter((file) => {
    size += file.size <= maxFileBytes ? file.size : 0;
    return file.size <= maxFileBytes && size <= maxBytes;
  });
  const found: Diagnostic[] = [];
  const importing: ImportingFile[] = [];
  for (const file of chosen) {
    const { diagnostics, modules } = await inspect(file, inspected);
    found.push(...diagnostics);
    importing.push({ path: file.path, modules });
  }
  const paths = files.map(({ path }) => path);
  const more = found.length - maxListed;
  const skipped = files.length - chosen.length;
  return [
    ...found.slice(0, maxListed),
    ...(more > 0
      ? [
          diagnose('files-not-inspected', {
            text: more === 1 ? 'files-more-one' : 'files-more',
            values: { more },
          }),
        ]
      : []),
    ...(skipped > 0
      ? [
          diagnose('files-not-inspected', {
            text: skipped === 1 ? 'files-skipped-one' : 'files-skipped',
            values: { skipped },
          }),
        ]
      : []),
    ...judgeImports(importing, paths),
    ...brokenLinks.map((file) => diagnose('link-left-out', { file: reveal(file) })),
    ...(await missingFiles(location, sorted)),
  ];
}

/** What matters most comes first, and is looked into in any case. */
function rank(file: SourceFile): number {
  return isSkillFile(file) ? 0 : 1;
}

function compare(one: SourceFile, other: SourceFile): number {
  return one.path < other.path ? -1 : 1;
}

/** What was found in files, by their version; the oldest go first. */
export type InspectedFiles = Map<string, InspectedFile>;

interface InspectedFile {
  diagnostics: readonly Diagnostic[];
  /** The paths that it imports. */
  modules: readonly string[];
}

const maxKept = 20_000;

async function inspect(
  { path, version, read }: SourceFile,
  inspected: InspectedFiles,
): Promise<InspectedFile> {
  const known = inspected.get(version);
  if (known) {
    return known;
  }
  const bytes = await read();
  const file = { path, bytes: bytes ?? new Uint8Array(), executable: false };
  const found = { diagnostics: diagnoseFiles([file]), modules: importedModules(file) };
  await yieldToEventLoop();
  inspected.set(version, found);
  const [oldest] = inspected.keys();
  if (inspected.size > maxKept && oldest !== undefined) {
    inspected.delete(oldest);
  }
  return found;
}

async function missingFiles(
  location: SkillLocation,
  files: readonly SourceFile[],
): Promise<Diagnostic[]> {
  const main = files.find(isSkillFile);
  const bytes = main && main.size <= maxFileBytes ? await main.read() : undefined;
  const paths = files.map(({ path }) => path);
  return bytes ? diagnoseReferences(bytes, { id: idOf(location), files: paths }) : [];
}
