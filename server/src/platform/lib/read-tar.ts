import { Header, type HeaderData } from 'tar/header';
import { Pax } from 'tar/pax';

/** One entry of an archive, with extended headers (POSIX pax, GNU long names) applied. */
export interface TarEntry {
  /** A name of the package `tar`, such as `File`, `Directory` and `SymbolicLink`. */
  type: Header['type'];
  path: string;
  linkpath: string;
  mode: number;
  /** In bytes. */
  size: number;
}

/** Receives the content of one entry, in chunks. */
interface TarSink {
  write(bytes: Buffer): void;
  end(): void;
}

export interface TarReader {
  /**
   * Reads the next chunk.
   *
   * @throws `DamagedTar` if a header is invalid
   */
  push(chunk: Uint8Array): void;
  /** Headers read so far, those of extensions included. */
  readonly headers: number;
  /** Whether the block of zeros at the end of the archive was read. */
  readonly hasEnded: boolean;
  /** Whether anything but zeros follows the end. */
  readonly hasTrailingData: boolean;
}

/** A header is invalid. */
export class DamagedTar extends Error {}

const blockBytes = 512;
const maxExtensionBytes = 1024 * 1024;
/** Folders and links have no content: tar readers disagree on where the next entry starts if they do. */
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

/** The entry that is being read. */
interface Reading {
  sink: TarSink | undefined;
  /** Remaining bytes of the content, and of the padding after it. */
  rest: number;
  padding: number;
}

/** Values of extended headers, for the next entry and for all following ones. */
interface Extensions {
  local?: HeaderData | undefined;
  global?: HeaderData | undefined;
}

/**
 * Reads a tar archive as a stream. It buffers only the last chunk, and never decompresses.
 *
 * The parser of the package `tar` would decompress compressed content, and would buffer data after the end. Only its
 * header parser is used here.
 *
 * @param open returns the sink for an entry; undefined to skip it. `push` rethrows its errors
 */
export function createTarReader(open: (entry: TarEntry) => TarSink | undefined): TarReader {
  const extensions: Extensions = {};
  let pending: Buffer = Buffer.alloc(0);
  let reading: Reading | undefined;
  let headers = 0;
  let hasEnded = false;
  let hasTrailingData = false;

  const take = (length: number): Buffer => {
    const taken = pending.subarray(0, length);
    pending = pending.subarray(taken.length);
    return taken;
  };
  const readHeader = (): boolean => {
    if (pending.length < blockBytes) {
      return false;
    }
    const block = take(blockBytes);
    const header = parseHeader(block, extensions);
    if (!header) {
      hasEnded = true;
      return false;
    }
    headers += 1;
    const rest = header.size ?? 0;
    const padding = (blockBytes - (rest % blockBytes)) % blockBytes;
    reading = { sink: openSink(header, extensions, open), rest, padding };
    return true;
  };
  /** Whether the entry is complete. */
  const readContent = (entry: Reading): boolean => {
    const bytes = take(entry.rest);
    entry.rest -= bytes.length;
    if (bytes.length > 0) {
      entry.sink?.write(bytes);
    }
    entry.padding -= entry.rest === 0 ? take(entry.padding).length : 0;
    if (entry.rest > 0 || entry.padding > 0) {
      return false;
    }
    reading = undefined;
    entry.sink?.end();
    return true;
  };
  return {
    push: (chunk) => {
      const arrived = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
      pending = pending.length === 0 ? arrived : Buffer.concat([pending, arrived]);
      while (!hasEnded && (reading ? readContent(reading) : readHeader())) {}
      if (hasEnded) {
        hasTrailingData ||= pending.some((byte) => byte !== 0);
        pending = Buffer.alloc(0);
      }
    },
    get headers() {
      return headers;
    },
    get hasEnded() {
      return hasEnded;
    },
    get hasTrailingData() {
      return hasTrailingData;
    },
  };
}

/** Undefined for the block of zeros at the end. */
function parseHeader(block: Buffer, { local, global }: Extensions): Header | undefined {
  let header: Header;
  try {
    header = new Header(block, 0, local, global);
  } catch {
    throw new DamagedTar('A number in a header is too large.');
  }
  if (header.nullBlock) {
    return undefined;
  }
  const size = header.size ?? 0;
  // `Header` sets the size of a folder to 0.
  const written = header.type === 'Directory' ? writtenSize(block) : size;
  const isSound = header.cksumValid && Number.isSafeInteger(size);
  if (!isSound || written > (maxBytes[header.type] ?? written)) {
    throw new DamagedTar('A header is damaged.');
  }
  return header;
}

function writtenSize(block: Buffer): number {
  return Number.parseInt(block.toString('latin1', 124, 135), 8) || 0;
}

/** Stores the values of extended headers; passes other entries to `open`. */
function openSink(
  header: Header,
  extensions: Extensions,
  open: (entry: TarEntry) => TarSink | undefined,
): TarSink | undefined {
  const extend = extensionOf(header, extensions);
  if (extend) {
    return collect(header.size ?? 0, extend);
  }
  const { local } = extensions;
  extensions.local = undefined;
  return open({
    type: header.type,
    path: local?.path ?? header.path ?? '',
    linkpath: local?.linkpath ?? header.linkpath ?? '',
    mode: header.mode ?? 0,
    size: header.size ?? 0,
  });
}

/** Returns a function that applies an extended header; undefined for other entries. */
function extensionOf(
  { type }: Header,
  extensions: Extensions,
): ((content: Buffer) => void) | undefined {
  switch (type) {
    case 'ExtendedHeader':
    case 'OldExtendedHeader':
      return (content) => {
        extensions.local = Pax.parse(content.toString(), extensions.local);
      };
    case 'GlobalExtendedHeader':
      return (content) => {
        extensions.global = Pax.parse(content.toString(), extensions.global, true);
      };
    case 'NextFileHasLongPath':
    case 'OldGnuLongPath':
      return (content) => {
        extensions.local = { ...extensions.local, path: textUpToNul(content) };
      };
    case 'NextFileHasLongLinkpath':
      return (content) => {
        extensions.local = { ...extensions.local, linkpath: textUpToNul(content) };
      };
    default:
      return undefined;
  }
}

function textUpToNul(content: Buffer): string {
  return content.toString().replace(/\0.*$/s, '');
}

/**
 * Collects the content of an entry in memory of its own, however small the chunks are.
 *
 * @param size of the entry in bytes; the caller has checked that it is acceptable
 */
export function collect(size: number, done: (content: Buffer) => void): TarSink {
  const content = Buffer.alloc(size);
  let length = 0;
  return {
    write: (bytes) => {
      length += bytes.copy(content, length);
    },
    end: () => done(content),
  };
}
