import type { ArchiveBytes } from './archive-bytes.ts';
import type { ArchiveIssue } from './unpack-faults.ts';
import { inMebibytes } from './unpack-limits.ts';
import { findZipEnd } from './zip-directory.ts';

export type UnpackFormat = 'zip' | 'tar.gz' | 'json' | 'skill.md';

/** Metadata of an archive; never decides how it is parsed. */
export interface ArchiveHint {
  fileName?: string | undefined;
  mediaType?: string | undefined;
  /**
   * Whether it is an import: files outside of the skills are wanted, an archive without a skill is accepted, and an
   * error of a skill does not affect the others.
   */
  keepsOthers?: boolean;
}

const zip = Buffer.from('PK\u0003\u0004');
const emptyZip = Buffer.from('PK\u0005\u0006');
const gzip = Buffer.from([0x1f, 0x8b]);
const utf16 = [Buffer.from([0xff, 0xfe]), Buffer.from([0xfe, 0xff])];

/** Detects the format from the content only. */
export function formatOf(bytes: ArchiveBytes, hint: ArchiveHint): UnpackFormat | ArchiveIssue {
  const head = bytes.read(0, headBytes);
  if (bytes.length === 0) {
    return { code: 'empty', message: 'The file is empty.' };
  }
  if ([zip, emptyZip].some((magic) => startsWith(head, magic)) || findZipEnd(bytes) !== undefined) {
    return 'zip';
  }
  if (startsWith(head, gzip)) {
    return 'tar.gz';
  }
  const isJson = /^\ufeff?\s*\{/.test(head.toString());
  if (bytes.length > maxTextBytes) {
    return isJson ? textTooLarge : unknown;
  }
  if (isJson) {
    return 'json';
  }
  const isUtf16 = utf16.some((mark) => startsWith(head, mark));
  const isText = isUtf16 || !bytes.read(0, bytes.length).includes(0);
  return isText && !claimsToBeArchive(hint) ? 'skill.md' : unknown;
}

const headBytes = 1024;
/** JSON and text are parsed in memory. */
const maxTextBytes = 32 * 1024 * 1024;

const textTooLarge = {
  code: 'too-large',
  message: `A skill in JSON may have ${inMebibytes(maxTextBytes)}. Pack it as a zip.`,
};
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
