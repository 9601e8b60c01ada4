import { crc32, deflateRawSync } from 'node:zlib';

/** A zip entry. Omitted fields are correct; given ones are written as is, even if wrong. */
export interface RawEntry {
  name: string | Buffer;
  content?: string | Buffer;
  /** 8 for deflated, 0 for stored. */
  method?: number;
  flags?: number;
  /** Unix type and permissions. */
  mode?: number;
  /** Declared size and checksum. */
  size?: number;
  crc?: number;
  /** Replaces the compressed content. */
  data?: Buffer;
  /** Overrides in the local header only. */
  local?: { name?: string; size?: number; flags?: number };
  /** Adds a data descriptor; requires flag 8, which leaves the local header empty. */
  descriptor?: 'signed' | 'plain';
  /** Declared offset in the central directory. */
  offset?: number;
}

interface RawEnd {
  /** Bytes before the first entry; offsets remain correct. */
  prefix?: Buffer;
  /** Bytes between the last entry and the central directory. */
  gap?: Buffer;
  comment?: string;
  /** Declared number of entries. */
  count?: number;
}

/** Builds a zip byte by byte, so that any part may be invalid. */
export function rawZip(entries: readonly RawEntry[], end: RawEnd = {}): Buffer {
  const { prefix = Buffer.alloc(0), gap = Buffer.alloc(0), comment = '' } = end;
  const body: Buffer[] = [prefix];
  const directory: Buffer[] = [];
  let offset = prefix.length;
  for (const entry of entries) {
    const { local, record } = rawEntry(entry, offset);
    body.push(local);
    directory.push(record);
    offset += local.length;
  }
  body.push(gap);
  const records = Buffer.concat(directory);
  const count = end.count ?? entries.length;
  const last = numbers([
    [4, 0x06054b50],
    [4, 0],
    [2, count],
    [2, count],
    [4, records.length],
    [4, offset + gap.length],
    [2, Buffer.byteLength(comment)],
  ]);
  return Buffer.concat([...body, records, last, Buffer.from(comment)]);
}

function rawEntry(entry: RawEntry, at: number): { local: Buffer; record: Buffer } {
  const { method = 8, flags = 0, mode = 0o100644, local = {}, descriptor, offset = at } = entry;
  const name = Buffer.from(entry.name);
  const content = Buffer.from(entry.content ?? '');
  const data = entry.data ?? (method === 8 ? deflateRawSync(content) : content);
  const { size = content.length, crc = crc32(content) } = entry;
  const ownName = local.name === undefined ? name : Buffer.from(local.name);
  const ownSizes: Fields = descriptor
    ? [[12, 0]]
    : [
        [4, crc],
        [4, data.length],
        [4, local.size ?? size],
      ];
  const header = numbers([
    [4, 0x04034b50],
    [2, 20],
    [2, local.flags ?? flags],
    [2, method],
    [4, 0x00210000],
    ...ownSizes,
    [2, ownName.length],
    [2, 0],
  ]);
  const sizes: Fields = [
    [4, crc],
    [4, data.length],
    [4, size],
  ];
  const signature: Fields = descriptor === 'signed' ? [[4, 0x08074b50]] : [];
  const after = numbers(descriptor ? [...signature, ...sizes] : []);
  const record = numbers([
    [4, 0x02014b50],
    [2, 0x0314],
    [2, 20],
    [2, flags],
    [2, method],
    [4, 0x00210000],
    ...sizes,
    [2, name.length],
    [8, 0],
    [4, mode * 0x10000],
    [4, offset],
  ]);
  return {
    local: Buffer.concat([header, ownName, data, after]),
    record: Buffer.concat([record, name]),
  };
}

type Fields = [bytes: number, value: number][];

/** Little-endian numbers. */
function numbers(fields: Fields): Buffer {
  const parts = fields.map(([bytes, value]) => {
    const part = Buffer.alloc(bytes);
    part.writeUIntLE(value, 0, Math.min(bytes, 6));
    return part;
  });
  return Buffer.concat(parts);
}
