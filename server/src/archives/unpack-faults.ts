import { type ArchiveLimits, archiveLimits, inMebibytes } from './unpack-limits.ts';

/** What is wrong: the rule that is broken, and a sentence. */
export interface Fault {
  code: string;
  message: string;
}

/** Takes down what is wrong with an entry, or with the archive as a whole when `name` is empty. */
export type Report = (name: string, fault: Fault) => void;

/** What may be wrong in archives of more than one format. */
export const unpackFaults = {
  tooManyEntries: tooManyEntries(archiveLimits),
  tooMuch: tooMuch(archiveLimits),
  bomb: {
    code: 'bomb',
    message: 'It unpacks to more than a hundred times its packed size.',
  },
  size: { code: 'size-mismatch', message: 'The content has another size than the archive says.' },
  checksum: { code: 'checksum', message: 'The content does not match its checksum.' },
  damaged: { code: 'damaged', message: 'The content is damaged.' },
  special: { code: 'special-file', message: 'The entry is neither a file, a folder nor a link.' },
} satisfies Record<string, Fault>;

/** A file has more bytes than one may have. */
export function fileTooLarge(most: number): Fault {
  return { code: 'file-too-large', message: `The file is larger than ${inMebibytes(most)}.` };
}

/** An archive has more entries than one may have. */
export function tooManyEntries({ entries }: ArchiveLimits): Fault {
  return { code: 'too-many-entries', message: `The archive has more than ${entries} entries.` };
}

/** More comes out of an archive than one may hold. */
export function tooMuch({ producedBytes }: ArchiveLimits): Fault {
  return {
    code: 'too-large',
    message: `The archive holds more than ${inMebibytes(producedBytes)}.`,
  };
}
