import { randomBytes } from 'node:crypto';
import { problem } from '@knowhow/shared/problem';
import { keptLimits, type ReadSources } from '../../skills/index.ts';

/**
 * A cache of uploaded and unpacked archives in memory, until they are installed: saves sending and
 * reading the bytes twice.
 */
export interface UploadCache {
  /**
   * Returns a token for an archive; undefined if it is too large. Evicts the oldest archives if
   * there are too many, of a user or in total, or if they need too much memory.
   */
  keep(userId: string, archive: ReadSources): string | undefined;
  /**
   * Passes on the archive of a token, which is consumed on success. Throws `upload-expired` for an
   * unknown token, or one of another user.
   */
  use<Result>(
    key: { userId: string; token: string },
    install: (archive: ReadSources) => Promise<Result>,
  ): Promise<Result>;
  /** Deletes all uploads of a user. */
  forget(userId: string): void;
}

interface Upload {
  userId: string;
  archive: ReadSources;
  /** Memory usage in bytes. */
  size: number;
  /** Time of eviction, in ms. */
  expires: number;
  timer: NodeJS.Timeout;
  isInUse: boolean;
}

/** Time to live (TTL) of an upload. */
const maxAgeMs = 10 * 60_000;
const maxPerUser = 4;
const maxUploads = 16;
const mebibyte = 1024 * 1024;
/** Together. An archive that is larger is kept alone. */
const maxBytes = 80 * mebibyte;
const maxBytesAlone = keptLimits.bytes + 16 * mebibyte;
/** Overhead of a file besides its name and content. */
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
      if (size > maxBytesAlone) {
        return undefined;
      }
      for (const token of tokensToEvict(uploads, userId, size)) {
        drop(token);
      }
      const token = randomBytes(24).toString('base64url');
      const timer = setTimeout(() => drop(token), maxAgeMs).unref();
      const expires = Date.now() + maxAgeMs;
      const upload = {
        userId,
        archive: inOwnMemory(archive),
        size,
        expires,
        timer,
        isInUse: false,
      };
      uploads.set(token, upload);
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
  'This upload has expired: it was installed, is older than ten minutes, or was evicted. Upload the archive again.';

/** Tokens to evict before another archive is added, oldest first. */
function tokensToEvict(
  uploads: ReadonlyMap<string, Upload>,
  userId: string,
  size: number,
): string[] {
  const all = [...uploads].map(([token, upload]) => ({ token, ...upload }));
  const own = all.filter((upload) => upload.userId === userId);
  const evicted = own.slice(0, Math.max(0, own.length - maxPerUser + 1));
  const remaining = all.filter((upload) => !evicted.includes(upload));
  const sum = () => remaining.reduce((bytes, upload) => bytes + upload.size, size);
  while (remaining.length >= maxUploads || (remaining.length > 0 && sum() > maxBytes)) {
    evicted.push(...remaining.splice(0, 1));
  }
  return evicted.map(({ token }) => token);
}

function sizeOf({ skills }: ReadSources): number {
  return skills
    .flatMap(({ files }) => files)
    .reduce((sum, { path, bytes }) => sum + bytes.length + 2 * path.length + fileBytes, 0);
}

/** Copies files that are views of the whole archive, which would otherwise stay in memory. */
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
