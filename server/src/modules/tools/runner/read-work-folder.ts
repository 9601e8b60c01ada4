import { foldPath } from '@knowhow/shared/fold-path';
import { collect, createTarReader, type TarEntry } from '../../../platform/lib/read-tar.ts';
import type { outputLimits } from './run-limits.ts';
import type { LeftOutFile, ScriptFile } from './runner.ts';

/** Reads the files a script left, from an untrusted tar archive. */
export interface WorkFolderReader {
  /** False to stop reading: the archive is invalid or endless. */
  push(chunk: Uint8Array): boolean;
  hasBegun(): boolean;
  /** Whether the end of the archive was read. */
  isWhole(): boolean;
  end(): WorkFolder;
}

interface WorkFolder {
  files: ScriptFile[];
  leftOut: LeftOutFile[];
}

/** More than a work folder can hold: a limit against sparse files (zip bomb). */
const maxBytes = 512 * 1024 * 1024;
const maxLeftOut = 32;
const safeSegment = /^[\p{L}\p{N}_][\p{L}\p{N}\p{M} ._+,=@()-]*$/u;
const maxPathLength = 200;
const maxDepth = 8;

export function readWorkFolder(limits: typeof outputLimits): WorkFolderReader {
  const folder: WorkFolder = { files: [], leftOut: [] };
  const reader = createTarReader(createIntake(limits, folder));
  let seen = 0;
  return {
    push: (chunk) => {
      seen += chunk.length;
      try {
        reader.push(chunk);
      } catch {
        return false;
      }
      return seen <= maxBytes;
    },
    hasBegun: () => seen > 0,
    isWhole: () => reader.hasEnded,
    end: () => folder,
  };
}

/** Decides which files are collected, within the limits. */
function createIntake(
  limits: typeof outputLimits,
  folder: WorkFolder,
): Parameters<typeof createTarReader>[0] {
  const taken = new Set<string>();
  let bytes = 0;
  const refuse = (path: string, { type, size }: TarEntry): LeftOutFile['why'] | undefined => {
    if (type !== 'File' && type !== 'OldFile') {
      return 'kind';
    }
    if (!isSafePath(path) || taken.has(foldPath(path))) {
      return 'name';
    }
    if (size > limits.fileBytes) {
      return 'too large';
    }
    const isTooMuch = taken.size >= limits.files || bytes + size > limits.bytes;
    return isTooMuch ? 'too many' : undefined;
  };
  return (entry) => {
    const path = entry.path.replace(/^\.\//, '');
    if (entry.type === 'Directory') {
      return undefined;
    }
    const why = refuse(path, entry);
    if (why) {
      if (folder.leftOut.length < maxLeftOut) {
        folder.leftOut.push({ path: printablePath(path), why });
      }
      return undefined;
    }
    bytes += entry.size;
    taken.add(foldPath(path));
    return collect(entry.size, (content) => folder.files.push({ path, bytes: content }));
  };
}

function isSafePath(path: string): boolean {
  const segments = path.split('/');
  return (
    path.length <= maxPathLength &&
    segments.length <= maxDepth &&
    segments.every((segment) => safeSegment.test(segment) && !/[. ]$/.test(segment))
  );
}

/** Sanitized for display. */
function printablePath(path: string): string {
  return path.replace(/[^\p{L}\p{N}\p{M} ._+,=@()/-]/gu, '?').slice(0, 100);
}
