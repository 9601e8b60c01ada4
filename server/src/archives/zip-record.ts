/** One record of a zip's central directory; nothing in it has been judged. */
export interface ZipRecord {
  rawName: Buffer;
  flags: number;
  method: number;
  crc: number;
  compressedSize: number;
  size: number;
  /** Type and permissions as Unix has them; 0 when not known. */
  mode: number;
  /** Where its local header begins. */
  offset: number;
}

/** A record with its data, as they are compressed. */
export interface LocatedRecord extends ZipRecord {
  data: Buffer;
}
