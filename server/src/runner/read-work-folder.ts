import { foldedPath } from '../lib/folded-path.ts';
import { parseTarHeader, type TarHeader } from './parse-tar-header.ts';
import type { outputLimits } from './run-limits.ts';
import type { LeftOutFile, ScriptFile } from './runner.ts';

/** Reads what a script left, from a tar archive that it may have had its hand in. */
export interface WorkFolderReader {
  /** False when no more is wanted: what comes is no archive, or never ends. */
  push(chunk: Uint8Array): boolean;
  hasBegun(): boolean;
  /** Whether its end has come. */
  isWhole(): boolean;
  end(): WorkFolder;
}

interface WorkFolder {
  files: ScriptFile[];
  leftOut: LeftOutFile[];
}

const block = 512;
/** More than a work folder holds comes from files with holes. */
const mostBytes = 512 * 1024 * 1024;
const mostLeftOut = 32;
const safeSegment = /^[\p{L}\p{N}_][\p{L}\p{N}\p{M} ._+,=@()-]*$/u;
const longestPath = 200;
const deepest = 8;

interface Entry {
  path: string;
  /** Bytes of it that are still to come, and those that fill its last block. */
  rest: number;
  padding: number;
  /** As large as it will be; undefined when it is not kept. */
  bytes: Buffer | undefined;
}

export function readWorkFolder(limits: typeof outputLimits): WorkFolderReader {
  const intake = createIntake(limits);
  let pending = Buffer.alloc(0);
  let entry: Entry | undefined;
  let seen = 0;
  let isOver = false;

  const take = (most: number): Buffer => {
    const taken = pending.subarray(0, most);
    pending = pending.subarray(taken.length);
    return taken;
  };
  /** False when too little is pending to go on. */
  const step = (): boolean => {
    if (!entry) {
      if (pending.length < block) {
        return false;
      }
      const header = take(block);
      isOver = header.every((byte) => byte === 0);
      entry = isOver ? undefined : intake.begin(parseTarHeader(header));
      return !isOver;
    }
    const taken = take(entry.rest);
    entry.bytes?.set(taken, entry.bytes.length - entry.rest);
    entry.rest -= taken.length;
    entry.padding -= entry.rest === 0 ? take(entry.padding).length : 0;
    if (entry.rest > 0 || entry.padding > 0) {
      return false;
    }
    intake.finish(entry);
    entry = undefined;
    return true;
  };
  return {
    push: (chunk) => {
      seen += chunk.length;
      pending = isOver ? pending : Buffer.concat([pending, chunk]);
      try {
        while (!isOver && step()) {}
      } catch {
        return false;
      }
      return seen <= mostBytes;
    },
    hasBegun: () => seen > 0,
    isWhole: () => isOver,
    end: () => intake.folder,
  };
}

/** Decides what is kept, and keeps it. */
function createIntake(limits: typeof outputLimits) {
  const folder: WorkFolder = { files: [], leftOut: [] };
  const taken = new Set<string>();
  let bytes = 0;
  const refusalOf = ({ path, type, size }: TarHeader): LeftOutFile['why'] | undefined => {
    if (type !== '0') {
      return 'kind';
    }
    if (!isSafePath(path) || taken.has(foldedPath(path))) {
      return 'name';
    }
    if (size > limits.fileBytes) {
      return 'too large';
    }
    const isTooMuch = taken.size >= limits.files || bytes + size > limits.bytes;
    return isTooMuch ? 'too many' : undefined;
  };
  return {
    folder,
    begin: (header: TarHeader): Entry => {
      const { path, type, size } = header;
      const isFolder = type === '5';
      const why = isFolder ? undefined : refusalOf(header);
      if (why && folder.leftOut.length < mostLeftOut) {
        folder.leftOut.push({ path: shownPath(path), why });
      }
      const isKept = !isFolder && !why;
      if (isKept) {
        bytes += size;
        taken.add(foldedPath(path));
      }
      const padding = (block - (size % block)) % block;
      return { path, rest: size, padding, bytes: isKept ? Buffer.alloc(size) : undefined };
    },
    finish: ({ path, bytes: own }: Entry) => {
      if (own) {
        folder.files.push({ path, bytes: own });
      }
    },
  };
}

function isSafePath(path: string): boolean {
  const segments = path.split('/');
  return (
    path.length <= longestPath &&
    segments.length <= deepest &&
    segments.every((segment) => safeSegment.test(segment) && !/[. ]$/.test(segment))
  );
}

/** As it may stand in a text. */
function shownPath(path: string): string {
  return path.replace(/[^\p{L}\p{N}\p{M} ._+,=@()/-]/gu, '?').slice(0, 100);
}
