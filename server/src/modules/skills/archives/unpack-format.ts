import type { ArchiveIssue } from './unpack-faults.ts';
import { findZipEnd } from './zip-directory.ts';

export type UnpackFormat = 'zip' | 'tar.gz' | 'json' | 'skill.md';

/** Metadata of an archive; never decides how it is parsed. */
export interface ArchiveHint {
  fileName?: string | undefined;
  mediaType?: string | undefined;
  /**
   * Whether files outside of the skills are wanted; then an archive without a skill is accepted.
   */
  keepsOthers?: boolean;
}

const zip = Buffer.from('PK\u0003\u0004');
const emptyZip = Buffer.from('PK\u0005\u0006');
const gzip = Buffer.from([0x1f, 0x8b]);
const utf16 = [Buffer.from([0xff, 0xfe]), Buffer.from([0xfe, 0xff])];

/** Detects the format from the content only. */
export function formatOf(bytes: Buffer, hint: ArchiveHint): UnpackFormat | ArchiveIssue {
  if (bytes.length === 0) {
    return { code: 'empty', message: 'The file is empty.' };
  }
  if (
    [zip, emptyZip].some((magic) => startsWith(bytes, magic)) ||
    findZipEnd(bytes) !== undefined
  ) {
    return 'zip';
  }
  if (startsWith(bytes, gzip)) {
    return 'tar.gz';
  }
  if (/^\ufeff?\s*\{/.test(bytes.subarray(0, 1024).toString())) {
    return 'json';
  }
  const isText = !bytes.includes(0) || utf16.some((mark) => startsWith(bytes, mark));
  return isText && !claimsToBeArchive(hint) ? 'skill.md' : unknown;
}

const unknown = {
  code: 'unknown-format',
  message: 'It is not a zip, a tar.gz, a skill in JSON or a SKILL.md.',
};

/** Also true if the bytes end within the magic number. */
function startsWith(bytes: Buffer, magic: Buffer): boolean {
  const length = Math.min(bytes.length, magic.length);
  return bytes.subarray(0, length).equals(magic.subarray(0, length));
}

function claimsToBeArchive({ fileName = '', mediaType = '' }: ArchiveHint): boolean {
  return /\.(?:zip|skill|tgz|gz|json)$/i.test(fileName) || /zip|json/.test(mediaType);
}
