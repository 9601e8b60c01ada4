import { createHash } from 'node:crypto';
import { mkdir, open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { crc32 } from 'node:zlib';
import { Problem } from '@knowhow/shared/problem';
import { syncFolder } from '../../../platform/lib/durable-fs.ts';
import { visitAll } from '../../../platform/lib/visit-all.ts';
import { toWriteProblem } from '../../../platform/lib/write-problem.ts';
import type { OpenZip, ZipMember } from './open-zip-file.ts';
import { type ArchiveIssue, archiveIssues, type ReportIssue } from './unpack-faults.ts';

/** An unpacked file of a backup. */
export interface UnpackedFile {
  /** Its path in the backup. */
  path: string;
  /** Its path on disk. */
  diskPath: string;
  size: number;
  sha256: string;
  executable: boolean;
}

interface Target {
  /** A new folder. */
  directory: string;
  /** Its name in error messages. */
  name: string;
  /** Whether to sync to disk: for files that become the state. */
  durable: boolean;
}

const maxOpenFiles = 6;

/**
 * Unpacks files into a folder. Their names have been validated; the contents are verified while
 * writing, and issues are reported by path.
 */
export async function unpackMembers(
  zip: OpenZip,
  members: ReadonlyMap<string, ZipMember>,
  { target, report }: { target: Target; report: ReportIssue },
): Promise<UnpackedFile[]> {
  const unpacked: UnpackedFile[] = [];
  const folders = await makeFolders(target, [...members.keys()]);
  await visitAll(members, maxOpenFiles, async ([path, member]) => {
    const diskPath = join(target.directory, path);
    const content = await unpack(zip, member, { ...target, diskPath });
    if ('code' in content) {
      report(path, content);
    } else {
      unpacked.push({ path, diskPath, executable: member.executable, ...content });
    }
    return [];
  });
  for (const folder of target.durable ? folders : []) {
    await syncFolder(folder);
  }
  return unpacked;
}

async function makeFolders({ directory, name }: Target, paths: string[]): Promise<Set<string>> {
  const folders = new Set([directory]);
  for (const path of paths) {
    for (let above = dirname(path); above !== '.'; above = dirname(above)) {
      folders.add(join(directory, above));
    }
  }
  for (const folder of folders) {
    await mkdir(folder, { recursive: true, mode: 0o755 }).catch(failWriting(name));
  }
  return folders;
}

type Content = Pick<UnpackedFile, 'size' | 'sha256'>;

async function unpack(
  zip: OpenZip,
  member: ZipMember,
  { diskPath, name, durable }: Target & { diskPath: string },
): Promise<Content | ArchiveIssue> {
  const fail = failWriting(name);
  const file = await open(diskPath, 'wx', member.executable ? 0o755 : 0o644).catch(fail);
  const hash = createHash('sha256');
  let size = 0;
  let crc = 0;
  try {
    for await (const chunk of (await zip.read(member)) as AsyncIterable<Buffer>) {
      hash.update(chunk);
      crc = crc32(chunk, crc);
      size += chunk.length;
      await file.writeFile(chunk).catch(fail);
    }
    if (durable) {
      await file.sync().catch(fail);
    }
  } catch (error) {
    if (error instanceof Problem) {
      throw error;
    }
    return archiveIssues.damaged;
  } finally {
    await file.close();
  }
  if (size !== member.size) {
    return archiveIssues.size;
  }
  return crc === member.crc ? { size, sha256: hash.digest('hex') } : archiveIssues.checksum;
}

function failWriting(name: string): (error: unknown) => never {
  return (error) => {
    throw toWriteProblem(error, name);
  };
}
