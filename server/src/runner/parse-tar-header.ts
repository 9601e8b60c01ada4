/** What the header of an entry says. */
export interface TarHeader {
  path: string;
  /** `0`, or nothing: a file. `5`: a folder. */
  type: string;
  /** In bytes. */
  size: number;
}

/**
 * Reads a header of a tar archive as POSIX describes it, 512 bytes.
 *
 * @throws when it is none
 */
export function parseTarHeader(header: Buffer): TarHeader {
  if (octal(header, 148, 8) !== sumOf(header)) {
    throw new Error('The sum of a header is wrong.');
  }
  const prefix = field(header, 345, 155).toString('utf8');
  const name = field(header, 0, 100).toString('utf8');
  return {
    path: (prefix ? `${prefix}/${name}` : name).replace(/^\.\//, ''),
    type: header.toString('latin1', 156, 157).replace('\0', '0'),
    size: octal(header, 124, 12),
  };
}

function field(header: Buffer, at: number, length: number): Buffer {
  const bytes = header.subarray(at, at + length);
  const end = bytes.indexOf(0);
  return bytes.subarray(0, end < 0 ? length : end);
}

function octal(header: Buffer, at: number, length: number): number {
  const digits = field(header, at, length).toString('latin1').trim();
  if (!/^[0-7]{1,11}$/.test(digits)) {
    throw new Error('This is no header of a tar archive.');
  }
  return Number.parseInt(digits, 8);
}

/** Of all bytes, with blanks where the sum itself is. */
function sumOf(header: Buffer): number {
  return header.reduce(
    (total, byte, index) => total + (index >= 148 && index < 156 ? 32 : byte),
    0,
  );
}
