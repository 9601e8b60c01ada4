import { Readable } from 'node:stream';
import { problem } from '@knowhow/shared/problem';
import { slug } from '@knowhow/shared/skills/skill-name';
import { getMarksChecksum } from '../../../platform/lib/files-checksum.ts';
import { getErrorMessage } from '../../../platform/lib/get-error-message.ts';
import { ignore } from '../../../platform/lib/ignore.ts';
import { sha256 } from '../../../platform/lib/sha256.ts';
import {
  type Notices,
  type OpenSkillFile,
  parseSkill,
  type SkillChange,
  type SkillSource,
  type SourceFile,
  type SourceStatus,
  type StoredSkill,
} from '../../skills/index.ts';
import type { ListedFile, ListedSkill, SkillSession } from './skill-session.ts';

/** A server whose skills an admin allows. */
export interface SkillServer {
  /** Our label of the server: the prefix of its skill names. */
  id: string;
  /** Changes whenever it may be a different server. */
  key: string;
  /** Shown to people and models. */
  title: string;
  /**
   * Minimum time in milliseconds for which a skill list counts as fresh, whatever the server says.
   */
  minListMs: number;
  /** Runs a function with an open session. Throws if none can be opened. */
  use<Result>(run: (skills: SkillSession) => Promise<Result>, signal: AbortSignal): Promise<Result>;
  /** Runs a background task, with limited concurrency across all servers. */
  runInBackground<Result>(act: () => Promise<Result>): Promise<Result>;
  /** Reports to admins that something failed or was ignored. */
  onIssue(message: string): void;
}

/** Maximum time in milliseconds for which a list counts as fresh. */
const maxMs = 24 * 60 * 60_000;
/** Retry delay after a failed listing. */
const retryMs = 60_000;
const requestMs = 60_000;
const maxNamed = 5;

/**
 * The skills of another server. The list is refreshed in the background. Files are read on first
 * use and verified against their digests. If a refresh fails, the last list stays valid.
 */
export function mountedSource(server: SkillServer): SkillSource {
  const closing = new AbortController();
  const byteCache = createByteCache();
  let mounted: ReadonlyMap<string, MountedSkill> = new Map();
  let changes: SkillChange[] = [];
  let notices: Notices | undefined;
  const signal = () => AbortSignal.any([closing.signal, AbortSignal.timeout(requestMs)]);
  const listing = createListing(server, signal, (skills) => {
    const now = mountSkills(source, server.id, skills, mounted);
    const found = changesBetween(mounted, now);
    mounted = now;
    changes.push(...found);
    if (found.length > 0) {
      notices?.noticed();
    }
  });
  const find = (path: string) => mounted.get(path) ?? isGone(server);
  const reader =
    ({ listed }: MountedSkill, { digest, uri }: ListedFile) =>
    () =>
      byteCache.get(digest, () =>
        server.use((skills) => skills.read(listed, uri, signal()), signal()),
      );

  const source: SkillSource = {
    kind: 'mcp',
    writable: false,
    isRemote: true,
    label: server.title,
    location: `mcp/${server.id}`,
    key: server.key,
    list: () => [...mounted.values()].map(({ stored }) => stored),
    status: () => ({ ...listing.status(), hasSkills: mounted.size > 0 }),
    look: (at) => {
      if (at === 'everywhere' && !closing.signal.aborted) {
        listing.refresh();
      }
      const seen = changes;
      changes = [];
      return Promise.resolve(seen);
    },
    watch: (listening) => {
      notices = listening;
    },
    read: async ({ path }) => {
      const skill = find(path);
      const manifest = skill.files.get('SKILL.md');
      return manifest ? reader(skill, manifest)() : Buffer.of();
    },
    files: async (path) => {
      const skill = find(path);
      const files = [...skill.files].map(([name, file]) =>
        sourceFile(name, file, reader(skill, file)),
      );
      return { files, changedAt: skill.stored.updatedAt };
    },
    open: async (path, name) => {
      const skill = mounted.get(path);
      const file = skill?.files.get(name);
      return skill && file ? openFile(file, reader(skill, file)) : undefined;
    },
    close: () => {
      notices = undefined;
      closing.abort();
    },
  };
  return source;
}

function isGone({ title }: SkillServer): never {
  throw problem('not-found', `${title} has no such skill any more.`);
}

interface Listing {
  /** Refreshes the list if it is stale. Never waits. */
  refresh(): void;
  status(): Omit<SourceStatus, 'hasSkills'>;
}

/** @param onListed receives the skills of every new list */
function createListing(
  server: SkillServer,
  signal: () => AbortSignal,
  onListed: (skills: readonly ListedSkill[]) => void,
): Listing {
  let nextAt = 0;
  let isThere = true;
  const list = async () => {
    try {
      const listing = await server.use((skills) => skills.list(signal()), signal());
      const { skills = [], refused = [], ttlMs = 0 } = listing ?? {};
      isThere = listing !== undefined;
      nextAt = performance.now() + Math.min(Math.max(ttlMs, server.minListMs), maxMs);
      onListed(skills);
      if (refused.length > 0) {
        const some = refused.slice(0, maxNamed).join(' ');
        server.onIssue(`${refused.length} of its skills cannot be used. ${some}`);
      }
    } catch (error) {
      isThere = false;
      const why = getErrorMessage(error);
      server.onIssue(`Its skills cannot be listed. ${why}`);
    }
  };
  return {
    refresh: () => {
      if (performance.now() >= nextAt) {
        nextAt = performance.now() + retryMs;
        server.runInBackground(list).catch(ignore);
      }
    },
    status: () => ({ isThere, leftOut: nothingLeftOut }),
  };
}

const nothingLeftOut = { tooDeep: 0, tooMany: 0, closed: [], foreign: [], links: [] };

function changesBetween(
  before: ReadonlyMap<string, MountedSkill>,
  now: ReadonlyMap<string, MountedSkill>,
): SkillChange[] {
  const paths = new Set([...before.keys(), ...now.keys()]);
  return [...paths].flatMap((path) => {
    const change = { before: before.get(path)?.stored, after: now.get(path)?.stored };
    return change.before === change.after ? [] : [change];
  });
}

function sourceFile(
  path: string,
  { size, digest }: ListedFile,
  read: () => Promise<Uint8Array>,
): SourceFile {
  return {
    path,
    size,
    executable: false,
    version: `${path}\0${digest}`,
    read: async (most) => (await read()).subarray(0, most),
    digest: () => Promise.resolve(hexOf(digest)),
  };
}

function openFile({ size }: ListedFile, read: () => Promise<Uint8Array>): OpenSkillFile {
  const part = async (start: number, length: number) =>
    Buffer.from((await read()).subarray(start, start + length));
  return {
    size,
    read: part,
    hold: async () => {
      const byteCache = await read();
      return {
        size,
        head: (length) => part(0, length),
        stream: () => Readable.from([byteCache]),
        close: () => Promise.resolve(),
      };
    },
  };
}

/**
 * Content-addressed LRU-like cache by digest; entries never change. The oldest are evicted first.
 */
interface ByteCache {
  /** Returns the cached bytes or reads them; concurrent reads are deduplicated. */
  get(digest: string, read: () => Promise<Uint8Array>): Promise<Uint8Array>;
}

const maxBytes = 32 * 1024 * 1024;

function createByteCache(): ByteCache {
  const cached = new Map<string, Uint8Array>();
  const reading = new Map<string, Promise<Uint8Array>>();
  let total = 0;
  const store = (digest: string, bytes: Uint8Array) => {
    cached.set(digest, bytes);
    total += bytes.length;
    for (const [oldest, { length }] of cached) {
      if (total <= maxBytes) {
        return;
      }
      cached.delete(oldest);
      total -= length;
    }
  };
  return {
    get: (digest, read) => {
      const known = cached.get(digest);
      if (known) {
        return Promise.resolve(known);
      }
      const underWay =
        reading.get(digest) ??
        read()
          .then((bytes) => {
            store(digest, bytes);
            return bytes;
          })
          .finally(() => reading.delete(digest));
      reading.set(digest, underWay);
      return underWay;
    },
  };
}

/** A remote skill and the listing of its files. */
interface MountedSkill {
  stored: StoredSkill;
  listed: ListedSkill;
  /** By path within the skill, with forward slashes. */
  files: ReadonlyMap<string, ListedFile>;
}

const maxIdLength = 64;

/**
 * Maps a server's skills to ours, by path. Each ID is the server's label plus the skill's path, so
 * names cannot collide. No file has been read yet; the checksum is derived from the file digests.
 */
function mountSkills(
  source: SkillSource,
  label: string,
  skills: readonly ListedSkill[],
  before: ReadonlyMap<string, MountedSkill>,
): Map<string, MountedSkill> {
  const mounted = new Map<string, MountedSkill>();
  const names = skills.map(({ uri }) => slug(`${label}-${pathOf(uri).join('-')}`));
  for (const [at, listed] of skills.entries()) {
    const name = names[at] ?? '';
    const isUnique = names.indexOf(name) === names.lastIndexOf(name);
    const id = isUnique && name.length < maxIdLength ? name : withHashSuffix(name, listed.uri);
    const skill = mountSkill(source, id, listed);
    const known = before.get(id);
    mounted.set(id, known?.stored.checksum === skill.stored.checksum ? known : skill);
  }
  return mounted;
}

function withHashSuffix(name: string, uri: string): string {
  const mark = sha256(uri).slice(0, 8);
  return `${name.slice(0, maxIdLength - mark.length - 1)}-${mark}`;
}

/** Path segments between the scheme and `SKILL.md`. */
function pathOf(uri: string): string[] {
  const { host, pathname } = new URL(uri);
  return [host, ...pathname.split('/').slice(1, -1)].filter(Boolean).map(decoded);
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

function mountSkill(source: SkillSource, id: string, listed: ListedSkill): MountedSkill {
  const root = listed.uri.slice(0, -'SKILL.md'.length);
  const files = new Map(
    listed.files.map((file) => [decodedPath(file.uri.slice(root.length)), file]),
  );
  const marks = [...files].map(([path, { digest }]) => ({
    path,
    executable: false,
    checksum: hexOf(digest),
  }));
  // JSON is valid YAML, so the frontmatter parser reads it.
  const text = `---\n${JSON.stringify(listed.frontmatter, null, 1)}\n---\n\nOn its server.\n`;
  const { skill } = parseSkill(Buffer.from(text), listed.frontmatter.name);
  const checksum = getMarksChecksum(marks);
  const stored = { ...skill, id, checksum, source, path: id, updatedAt: Date.now() };
  return { stored, listed, files };
}

function decodedPath(path: string): string {
  return path.split('/').map(decoded).join('/');
}

/** The hex part of a digest such as `sha256:…`. */
function hexOf(digest: string): string {
  return digest.slice(digest.indexOf(':') + 1);
}
