import { crc32, deflateRawSync } from 'node:zlib';

/** An entry of a zip. What is left out is as it should be; what is given is written, true or not. */
export interface RawEntry {
  name: string | Buffer;
  content?: string | Buffer;
  /** 8 for deflated, 0 for stored. */
  method?: number;
  flags?: number;
  /** Type and permissions as Unix has them. */
  mode?: number;
  /** What the headers say of the content. */
  size?: number;
  crc?: number;
  /** In place of what the content gives when it is compressed. */
  data?: Buffer;
  /** What is in the entry's own header only. */
  local?: { name?: string; size?: number; flags?: number };
  /** After the data; with flag 8 the entry's own header says nothing of them. */
  descriptor?: 'signed' | 'plain';
  /** Where the directory says that it begins. */
  offset?: number;
}

interface RawEnd {
  /** In front of the first entry, all offsets being right. */
  prefix?: Buffer;
  /** Between the last entry and the directory. */
  gap?: Buffer;
  comment?: string;
  /** What the end says of the number of entries. */
  count?: number;
}

/** A zip byte by byte, so that anything in it can be wrong. */
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

/** Numbers as they are in a zip: the lowest byte first. */
function numbers(fields: Fields): Buffer {
  const parts = fields.map(([bytes, value]) => {
    const part = Buffer.alloc(bytes);
    part.writeUIntLE(value, 0, Math.min(bytes, 6));
    return part;
  });
  return Buffer.concat(parts);
}
