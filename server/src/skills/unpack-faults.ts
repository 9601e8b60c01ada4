import { inMebibytes, unpackLimits } from './unpack-limits.ts';

/** What is wrong: the rule that is broken, and a sentence. */
export interface Fault {
  code: string;
  message: string;
}

/** Takes down what is wrong with an entry, or with the archive as a whole when `name` is empty. */
export type Report = (name: string, fault: Fault) => void;

/** What may be wrong in archives of more than one format. */
export const unpackFaults = {
  tooManyEntries: {
    code: 'too-many-entries',
    message: `The archive has more than ${unpackLimits.entries} entries.`,
  },
  tooMuch: {
    code: 'too-large',
    message: `The archive holds more than ${inMebibytes(unpackLimits.producedBytes)}.`,
  },
  bomb: {
    code: 'bomb',
    message: 'More than a hundred bytes come out of each byte that is packed.',
  },
  fileTooLarge: {
    code: 'file-too-large',
    message: `The file is larger than ${inMebibytes(unpackLimits.fileBytes)}.`,
  },
  size: { code: 'size-mismatch', message: 'The content has another size than the archive says.' },
  checksum: { code: 'checksum', message: 'The content does not match its checksum.' },
  damaged: { code: 'damaged', message: 'The content is damaged.' },
  special: { code: 'special-file', message: 'The entry is neither a file, a folder nor a link.' },
} satisfies Record<string, Fault>;
