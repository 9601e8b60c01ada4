import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { LeftOutReason } from '@knowhow/shared/skills/left-out';
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
} from '@knowhow/skill-format';
import { addToCache } from '../../../platform/lib/add-to-cache.ts';
import {
  getSkillId,
  type SkillLocation,
  type SkippedEntry,
  type SourceFile,
} from './skill-source.ts';

/** Limits for the inspection of a folder, the same as for an archive. */
const maxFiles = 512;
const maxBytes = 16 * 1024 * 1024;
const maxFileBytes = 4 * 1024 * 1024;

/**
 * Diagnoses the files in a skill's folder beyond parsing `SKILL.md`: hidden characters and possible
 * secrets in text files, and missing files that the instructions name. Too slow for a scan of
 * thousands of skills, so results are cached per file version. Throws a problem if the folder has
 * been deleted.
 *
 * @param inspected cache shared by all calls
 */
export async function diagnoseContent(
  location: SkillLocation,
  inspected: InspectedFiles = new Map(),
): Promise<Diagnostic[]> {
  const { files, skipped: unread = [] } = await location.source.files(location.path);
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
    ...unread.flatMap(diagnoseSkipped).slice(0, maxListed),
    ...(await missingFiles(location, sorted)),
  ];
}

/** Expected leftovers of systems, editors and version control: they get no diagnostic. */
function diagnoseSkipped({ path, why }: SkippedEntry): Diagnostic[] {
  const code = skippedCodes[why];
  return code ? [diagnose(code, { file: reveal(path) })] : [];
}

const skippedCodes: Partial<Record<LeftOutReason, 'link-left-out' | 'name-left-out'>> = {
  link: 'link-left-out',
  'back-slash': 'name-left-out',
};

/** Puts the most important files first, so that they are always inspected. */
function rank(file: SourceFile): number {
  return isSkillFile(file) ? 0 : 1;
}

function compare(one: SourceFile, other: SourceFile): number {
  return one.path < other.path ? -1 : 1;
}

/** Cached results by file version; the oldest are evicted. */
export type InspectedFiles = Map<string, InspectedFile>;

interface InspectedFile {
  diagnostics: readonly Diagnostic[];
  /** Imported paths. */
  modules: readonly string[];
}

const maxCached = 20_000;

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
  addToCache(inspected, { key: version, value: found, max: maxCached });
  return found;
}

async function missingFiles(
  location: SkillLocation,
  files: readonly SourceFile[],
): Promise<Diagnostic[]> {
  const main = files.find(isSkillFile);
  const bytes = main && main.size <= maxFileBytes ? await main.read() : undefined;
  const paths = files.map(({ path }) => path);
  return bytes ? diagnoseReferences(bytes, { id: getSkillId(location), files: paths }) : [];
}
