import { createGunzip } from 'node:zlib';
import { Header, type HeaderData } from 'tar/header';
import { Pax } from 'tar/pax';
import type { UnpackEntry } from './unpack-entry.ts';
import { type Fault, type Report, unpackFaults } from './unpack-faults.ts';
import { archiveLimits, mostProduced } from './unpack-limits.ts';

const blockBytes = 512;
const maxExtensionBytes = 1024 * 1024;
/** Readers do not agree on what follows a folder or a link that has content. */
const maxBytes: Partial<Record<Header['type'], number>> = {
  Directory: 0,
  SymbolicLink: 0,
  Link: 0,
  ExtendedHeader: maxExtensionBytes,
  OldExtendedHeader: maxExtensionBytes,
  GlobalExtendedHeader: maxExtensionBytes,
  NextFileHasLongPath: maxExtensionBytes,
  OldGnuLongPath: maxExtensionBytes,
  NextFileHasLongLinkpath: maxExtensionBytes,
};
const faults = {
  gzip: { code: 'damaged', message: 'The gzip is damaged, was cut off, or goes on after its end.' },
  noTar: { code: 'damaged', message: 'There is a gzip, but no tar inside of it.' },
  header: { code: 'damaged', message: 'The header of an entry is damaged.' },
  noEnd: { code: 'truncated', message: 'The tar has no end: it was cut off.' },
  afterEnd: { code: 'hidden-data', message: 'There is data after the end of the tar.' },
} satisfies Record<string, Fault>;

/** The entries of a tar in a gzip; what is wrong with it, or with one of them, is reported. */
export async function tarEntries(bytes: Buffer, report: Report): Promise<UnpackEntry[]> {
  const tar = await gunzip(bytes);
  if (tar instanceof Uint8Array) {
    return [...walk(tar, report)];
  }
  report('', tar);
  return [];
}

/** Never more comes into memory than an archive may hold, whatever the headers say. */
async function gunzip(bytes: Buffer): Promise<Buffer | Fault> {
  const most = Math.min(mostProduced(bytes.length), archiveLimits.producedBytes);
  // The system gives this memory only as far as it is written to.
  const tar = Buffer.alloc(most);
  let length = 0;
  const stream = createGunzip();
  try {
    for await (const chunk of stream.end(bytes) as AsyncIterable<Buffer>) {
      if (length + chunk.length > most) {
        return most < archiveLimits.producedBytes ? unpackFaults.bomb : unpackFaults.tooMuch;
      }
      length += chunk.copy(tar, length);
    }
  } catch {
    return faults.gzip;
  }
  return stream.bytesWritten === bytes.length ? tar.subarray(0, length) : faults.gzip;
}

/** What headers say of the entry that follows, and of all that follow. */
interface Extensions {
  local?: HeaderData | undefined;
  global?: HeaderData | undefined;
}

/**
 * Block by block, in memory: the parser that `tar` brings would decompress once more what looks
 * compressed, and collects whatever follows the end.
 */
function* walk(tar: Buffer, report: Report): Generator<UnpackEntry> {
  const extensions: Extensions = {};
  let at = 0;
  for (let count = 0; ; count += 1) {
    const step =
      count > archiveLimits.entries ? unpackFaults.tooManyEntries : stepAt(tar, at, extensions);
    if (!step || 'code' in step) {
      if (step) {
        report('', at === 0 ? faults.noTar : step);
      }
      return;
    }
    at = step.next;
    if (!extend(extensions, step)) {
      const entry = entryOf(step, extensions.local);
      if (entry) {
        yield entry;
      } else {
        report(step.header.path ?? '', unpackFaults.special);
      }
      extensions.local = undefined;
    }
  }
}

interface Step {
  header: Header;
  data: Buffer;
  /** Where the next header begins. */
  next: number;
}

/** Undefined at the end of the tar. */
function stepAt(tar: Buffer, at: number, { local, global }: Extensions): Step | Fault | undefined {
  if (at + blockBytes > tar.length) {
    return faults.noEnd;
  }
  const header = headerAt(tar, at, { local, global });
  if (header?.nullBlock) {
    return tar.subarray(at).every((byte) => byte === 0) ? undefined : faults.afterEnd;
  }
  if (!header?.cksumValid) {
    return faults.header;
  }
  const start = at + blockBytes;
  const size = header.size ?? 0;
  const said = header.type === 'Directory' ? saidSize(tar, at) : size;
  if (said > (maxBytes[header.type] ?? said)) {
    return faults.header;
  }
  const next = start + Math.ceil(size / blockBytes) * blockBytes;
  return next > tar.length
    ? faults.noEnd
    : { header, data: tar.subarray(start, start + size), next };
}

/** What a header says itself: of a folder `Header` takes it for nothing. */
function saidSize(tar: Buffer, at: number): number {
  return Number.parseInt(tar.toString('latin1', at + 124, at + 135), 8) || 0;
}

/** Undefined when a number in it is beyond measure. */
function headerAt(tar: Buffer, at: number, { local, global }: Extensions): Header | undefined {
  try {
    return new Header(tar, at, local, global);
  } catch {
    return undefined;
  }
}

/** Whether it was a header that only says more about others. */
function extend(extensions: Extensions, { header, data }: Step): boolean {
  const { local, global } = extensions;
  switch (header.type) {
    case 'ExtendedHeader':
    case 'OldExtendedHeader':
      extensions.local = Pax.parse(data.toString(), local);
      return true;
    case 'GlobalExtendedHeader':
      extensions.global = Pax.parse(data.toString(), global, true);
      return true;
    case 'NextFileHasLongPath':
    case 'OldGnuLongPath':
      extensions.local = { ...local, path: textUpToNul(data) };
      return true;
    case 'NextFileHasLongLinkpath':
      extensions.local = { ...local, linkpath: textUpToNul(data) };
      return true;
    default:
      return false;
  }
}

function textUpToNul(data: Buffer): string {
  return data.toString().replace(/\0.*$/s, '');
}

/** Undefined for devices, pipes and the like. */
function entryOf(
  { header, data }: Step,
  extension: HeaderData | undefined,
): UnpackEntry | undefined {
  const name = extension?.path ?? header.path ?? '';
  const target = extension?.linkpath ?? header.linkpath ?? '';
  switch (header.type) {
    case 'File':
    case 'OldFile':
    case 'ContiguousFile': {
      const executable = ((header.mode ?? 0) & 0o111) !== 0;
      return { name, kind: 'file', executable, size: data.length, read: () => data };
    }
    case 'Directory':
      return { name, kind: 'folder' };
    case 'SymbolicLink':
      return { name, kind: 'link', target, isHard: false };
    case 'Link':
      return { name, kind: 'link', target, isHard: true };
    default:
      return undefined;
  }
}
