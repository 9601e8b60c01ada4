import { archiveLimits } from './unpack-limits.ts';
import { zipEntries } from './zip-entries.ts';

/** What the wanted files of a zip hold, or what is wrong with them or with the zip, in a sentence. */
type WantedFiles = { files: Buffer[]; others: OtherFiles } | { fault: string };

/** What else is in the zip, unpacked when it is asked for, one at a time. */
export interface OtherFiles {
  names: readonly string[];
  /** Undefined where there is none that can be unpacked. */
  read(name: string): Buffer | undefined;
}

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
  const found = entries.filter((entry) => entry.kind === 'file');
  const read = found.flatMap((entry) => (isWanted(entry.name) ? (entry.read() ?? []) : []));
  const byName = new Map(found.map((entry) => [entry.name, entry]));
  const [fault] = faults;
  if (fault !== undefined) {
    return { fault };
  }
  const others = {
    names: [...byName.keys()],
    read: (name: string) => {
      const bytes = byName.get(name)?.read();
      return bytes && asBuffer(bytes);
    },
  };
  return { files: read.map(asBuffer), others };
}

function asBuffer({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}
