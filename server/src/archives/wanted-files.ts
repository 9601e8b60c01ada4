import { archiveLimits } from './unpack-limits.ts';
import { zipEntries } from './zip-entries.ts';

/** What the wanted files of a zip hold, or what is wrong with them or with the zip, in a sentence. */
type WantedFiles = { files: Buffer[] } | { fault: string };

/**
 * The files of a zip whose names are wanted; all else in it is passed over, whatever it is. For a worker: it
 * unpacks at once.
 */
export async function wantedFiles(
  bytes: Buffer,
  isWanted: (name: string) => boolean,
): Promise<WantedFiles> {
  const faults: string[] = [];
  const { entries: files, producedBytes } = archiveLimits;
  const limits = { files, bytes: producedBytes, fileBytes: producedBytes };
  const entries = await zipEntries(bytes, limits, (name, { message }) => {
    if (name === '' || isWanted(name)) {
      faults.push(message);
    }
  });
  const read = entries.flatMap((entry) =>
    entry.kind === 'file' && isWanted(entry.name) ? (entry.read() ?? []) : [],
  );
  const [fault] = faults;
  return fault === undefined
    ? { files: read.map((file) => Buffer.from(file.buffer, file.byteOffset, file.byteLength)) }
    : { fault };
}
