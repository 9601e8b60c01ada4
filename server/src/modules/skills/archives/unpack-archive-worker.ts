import { parentPort, workerData } from 'node:worker_threads';
import { Problem } from '@knowhow/shared/problem';
import { lowerPriority } from '../../../platform/lib/lower-priority.ts';
import { withArchiveFile } from './archive-bytes.ts';
import type { ReadArchive, UnpackAnswer, UnpackTask } from './read-archive.ts';
import { unpackArchive } from './unpack-archive.ts';

// Runs in a worker thread, for one archive: see `read-archive.ts`.
lowerPriority();
const { archive: source, hint, limits } = workerData as UnpackTask;
try {
  const archive =
    typeof source === 'string'
      ? await withArchiveFile(source, (bytes) => unpackArchive(bytes, hint, limits))
      : await unpackArchive(Buffer.from(source.buffer), hint, limits);
  answer({ archive }, ownMemory(archive));
} catch (error) {
  if (!(error instanceof Problem)) {
    throw error;
  }
  answer({ refused: { message: error.message, issues: error.issues } }, []);
}

function answer(message: UnpackAnswer, transferList: ArrayBuffer[]): void {
  parentPort?.postMessage(message, transferList);
}

/**
 * The buffers of all files, to be transferred instead of copied. Files in Node's shared pool are
 * copied first.
 */
function ownMemory({ skills, others, rejected }: ReadArchive): ArrayBuffer[] {
  const memory = new Set<ArrayBuffer>();
  for (const file of [...skills.flatMap(({ files }) => files), ...others]) {
    if (file.bytes.buffer.byteLength <= Buffer.poolSize) {
      file.bytes = new Uint8Array(file.bytes);
    }
    memory.add(file.bytes.buffer as ArrayBuffer);
  }
  for (const skill of rejected) {
    skill.main &&= new Uint8Array(skill.main);
  }
  return [...memory];
}
