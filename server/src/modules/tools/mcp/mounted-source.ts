import { Readable } from 'node:stream';
import { problem } from '@knowhow/shared/problem';
import { getErrorMessage } from '../../../platform/lib/get-error-message.ts';
import { ignore } from '../../../platform/lib/ignore.ts';
import type {
  Notices,
  OpenSkillFile,
  SkillChange,
  SkillSource,
  SourceFile,
  SourceStatus,
} from '../../skills/store/skill-source.ts';
import { createByteCache } from './byte-cache.ts';
import { hexOf, type MountedSkill, mountSkills } from './mounted-skill.ts';
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
    ...{ kind: 'mcp', writable: false, isRemote: true, label: server.title },
    ...{ location: `mcp/${server.id}`, key: server.key },
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
