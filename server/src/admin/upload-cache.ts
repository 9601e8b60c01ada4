import { randomBytes } from 'node:crypto';
import { problem } from '@knowhow/shared/problem';
import { archiveLimits } from '../archives/unpack-limits.ts';
import type { ReadSources } from '../conversion/convert-sources.ts';

/**
 * Archives that have been uploaded and unpacked, in memory, until they are installed: so the same bytes
 * travel and are read once.
 */
export interface UploadCache {
  /**
   * Gives the token that stands for an archive; undefined when it is too large to be kept. The oldest
   * are dropped when there are too many, of a user or in all, or when they take too much memory.
   */
  keep(userId: string, archive: ReadSources): string | undefined;
  /**
   * Passes on the archive that a token of this user stands for. The token is used up when that succeeds.
   * Throws `upload-expired` for any other token.
   */
  use<Result>(
    key: { userId: string; token: string },
    install: (archive: ReadSources) => Promise<Result>,
  ): Promise<Result>;
  /** Drops all that a user has uploaded. */
  forget(userId: string): void;
}

interface Upload {
  userId: string;
  archive: ReadSources;
  /** In bytes of memory. */
  size: number;
  /** When it is dropped, in ms. */
  expires: number;
  timer: NodeJS.Timeout;
  isInUse: boolean;
}

const keptMs = 10 * 60_000;
const mostOfUser = 4;
const most = 16;
const mebibyte = 1024 * 1024;
/** Enough for one archive of the largest kind. */
const mostBytes = archiveLimits.producedBytes + 16 * mebibyte;
/** What a file takes beside its name and content. */
const fileBytes = 256;

export function createUploadCache(): UploadCache {
  const uploads = new Map<string, Upload>();
  const drop = (token: string) => {
    clearTimeout(uploads.get(token)?.timer);
    uploads.delete(token);
  };
  return {
    keep: (userId, archive) => {
      const size = sizeOf(archive);
      if (size > mostBytes) {
        return undefined;
      }
      for (const token of tooMany(uploads, userId, size)) {
        drop(token);
      }
      const token = randomBytes(24).toString('base64url');
      const timer = setTimeout(() => drop(token), keptMs).unref();
      const expires = Date.now() + keptMs;
      const kept = { userId, archive: inOwnMemory(archive), size, expires, timer, isInUse: false };
      uploads.set(token, kept);
      return token;
    },
    use: async ({ userId, token }, install) => {
      const upload = uploads.get(token);
      if (!upload || upload.userId !== userId || upload.isInUse || upload.expires <= Date.now()) {
        throw problem('upload-expired', expired);
      }
      upload.isInUse = true;
      try {
        const result = await install(upload.archive);
        drop(token);
        return result;
      } finally {
        upload.isInUse = false;
      }
    },
    forget: (userId) => {
      for (const [token] of [...uploads].filter(([, upload]) => upload.userId === userId)) {
        drop(token);
      }
    },
  };
}

const expired =
  'This upload is not kept any more: it was installed, is older than ten minutes, or others needed the memory. Upload the archive again.';

/** Those to drop before another one is kept, oldest first. */
function tooMany(uploads: ReadonlyMap<string, Upload>, userId: string, size: number): string[] {
  const all = [...uploads].map(([token, upload]) => ({ token, ...upload }));
  const own = all.filter((upload) => upload.userId === userId);
  const dropped = own.slice(0, Math.max(0, own.length - mostOfUser + 1));
  const left = all.filter((upload) => !dropped.includes(upload));
  const sum = () => left.reduce((bytes, upload) => bytes + upload.size, size);
  while (left.length >= most || sum() > mostBytes) {
    dropped.push(...left.splice(0, 1));
  }
  return dropped.map(({ token }) => token);
}

function sizeOf({ skills }: ReadSources): number {
  return skills
    .flatMap(({ files }) => files)
    .reduce((sum, { path, bytes }) => sum + bytes.length + 2 * path.length + fileBytes, 0);
}

/** Files may be views of the whole archive, which would be kept with them: these are copied. */
function inOwnMemory(archive: ReadSources): ReadSources {
  const skills = archive.skills.map((skill) => ({
    ...skill,
    files: skill.files.map(({ bytes, ...file }) => {
      const isView = bytes.buffer.byteLength > bytes.byteLength;
      return { ...file, bytes: isView ? new Uint8Array(bytes) : bytes };
    }),
  }));
  return { ...archive, skills };
}
