import { type ArchiveLimits, archiveLimits, inMebibytes, keptLimits } from './unpack-limits.ts';

/** An issue: the violated rule, and a message. */
export interface ArchiveIssue {
  code: string;
  message: string;
}

/** Reports an issue of an entry, or of the whole archive if `name` is empty. */
export type ReportIssue = (name: string, fault: ArchiveIssue) => void;

/** Issues that occur in several formats. */
export const archiveIssues = {
  tooManyEntries: tooManyEntries(archiveLimits),
  archiveTooLarge: tooMuch(archiveLimits),
  bomb: {
    code: 'bomb',
    message: 'It unpacks to more than a hundred times its packed size.',
  },
  size: { code: 'size-mismatch', message: 'The content has another size than the archive says.' },
  checksum: { code: 'checksum', message: 'The content does not match its checksum.' },
  damaged: { code: 'damaged', message: 'The content is damaged.' },
  special: { code: 'special-file', message: 'The entry is neither a file, a folder nor a link.' },
} satisfies Record<string, ArchiveIssue>;

/** A file exceeds the size limit. */
export function fileTooLarge(max: number): ArchiveIssue {
  return { code: 'file-too-large', message: `The file is larger than ${inMebibytes(max)}.` };
}

/** An archive exceeds the number of entries. */
export function tooManyEntries({ entries }: ArchiveLimits): ArchiveIssue {
  return { code: 'too-many-entries', message: `The archive has more than ${entries} entries.` };
}

/** An archive exceeds the unpacked size. */
export function tooMuch({ producedBytes }: ArchiveLimits): ArchiveIssue {
  return {
    code: 'too-large',
    message: `The archive contains more than ${inMebibytes(producedBytes)}.`,
  };
}

/** The skills of an archive exceed what can be read at once. */
export const tooMuchKept: ArchiveIssue = {
  code: 'too-large',
  message: `Its skills have more than ${keptLimits.files} files or ${inMebibytes(keptLimits.bytes)} together. Pack fewer of them.`,
};
