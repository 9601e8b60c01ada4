import { inMemory } from './archive-bytes.ts';
import type { ReportIssue } from './unpack-faults.ts';
import { documentLimits } from './unpack-limits.ts';
import { zipEntries } from './zip-entries.ts';

/** The contents of the wanted files of a zip, or a message about an issue. */
type WantedFiles = { files: Buffer[]; others: OtherFiles } | { fault: string };

/** Other files in the zip, unpacked on demand. */
export interface OtherFiles {
  names: readonly string[];
  /** Undefined if there is no such file, or if it cannot be unpacked. */
  read(name: string): Buffer | undefined;
}

/**
 * The files of a zip with wanted names; everything else is ignored. Unpacks synchronously, so call
 * it in a worker.
 */
export async function wantedFiles(
  bytes: Buffer,
  isWanted: (name: string) => boolean,
): Promise<WantedFiles> {
  const faults: string[] = [];
  const report: ReportIssue = (name, { message }) => {
    if (name === '' || isWanted(name)) {
      faults.push(message);
    }
  };
  const limits = { ...documentLimits, fileBytes: documentLimits.producedBytes };
  const entries = await zipEntries(inMemory(bytes), limits, report);
  const found = entries.filter((entry) => entry.kind === 'file');
  const read = found.flatMap((entry) => (isWanted(entry.name) ? (entry.read(report) ?? []) : []));
  const byName = new Map(found.map((entry) => [entry.name, entry]));
  const [fault] = faults;
  if (fault !== undefined) {
    return { fault };
  }
  const others = {
    names: [...byName.keys()],
    read: (name: string) => {
      const bytes = byName.get(name)?.read(report);
      return bytes && asBuffer(bytes);
    },
  };
  return { files: read.map(asBuffer), others };
}

function asBuffer({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}
