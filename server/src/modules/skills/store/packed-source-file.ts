import { Readable } from 'node:stream';
import { sha256 } from '../../../platform/lib/sha256.ts';
import type { PackedFile } from '../format/skill-format.ts';
import type { OpenSkillFile, SourceFile } from './skill-source.ts';

/** Adapts a file in memory to a source file. */
export function packedSourceFile({ path, bytes, executable }: PackedFile): SourceFile {
  const digest = sha256(bytes);
  return {
    path,
    size: bytes.length,
    executable,
    version: `${path}\0${digest}`,
    read: (most) => Promise.resolve(bytes.subarray(0, most)),
    digest: () => Promise.resolve(digest),
  };
}

/** Opens a file in memory. */
export function openPackedFile(file: PackedFile | undefined): OpenSkillFile | undefined {
  if (!file) {
    return undefined;
  }
  const { buffer, byteOffset, length } = file.bytes;
  const bytes = Buffer.from(buffer, byteOffset, length);
  return {
    size: bytes.length,
    read: (start, most) => Promise.resolve(bytes.subarray(start, start + most)),
    hold: async () => ({
      size: bytes.length,
      head: (most) => Promise.resolve(bytes.subarray(0, most)),
      stream: () => Readable.from([bytes]),
      close: () => Promise.resolve(),
    }),
  };
}
