import { Readable } from 'node:stream';
import { problem } from '@knowhow/shared/problem';
import { ignore } from '../lib/ignore.ts';
import { messageOf } from '../lib/message-of.ts';
import type {
  Notices,
  OpenSkillFile,
  SkillChange,
  SkillSource,
  SourceFile,
  SourceStatus,
} from '../skill-store/skill-source.ts';
import { keptBytes } from './kept-bytes.ts';
import { hexOf, type MountedSkill, mountSkills } from './mounted-skill.ts';
import type { ListedFile, ListedSkill, SkillSession } from './skill-session.ts';

/** A server whose skills an admin allows. */
export interface SkillServer {
  /** Our label for it: the first part of the names of its skills. */
  id: string;
  /** Another one whenever it may be another server. */
  key: string;
  /** For people, and for models. */
  title: string;
  /** A list of its skills counts so long at least, in milliseconds, whatever it says. */
  leastMs: number;
  /** Runs something with the open connection. Throws when there is none to be had. */
  use<Result>(run: (skills: SkillSession) => Promise<Result>, signal: AbortSignal): Promise<Result>;
  /** Does what nobody waits for, a few of all servers at once. */
  whenQuiet<Result>(act: () => Promise<Result>): Promise<Result>;
  /** Something could not be done, or was not used: for an admin. */
  onFault(message: string): void;
}

/** A listing counts so long at most, in milliseconds. */
const mostMs = 24 * 60 * 60_000;
/** One that has not come is asked for again after that. */
const againMs = 60_000;
const requestMs = 60_000;
const mostNamed = 5;

/**
 * The skills of another server. Their list is asked for behind everybody's back, never a file before somebody
 * uses it; each file is checked against the list, and a list that does not come leaves the last one.
 */
export function mountedSource(server: SkillServer): SkillSource {
  const closing = new AbortController();
  const bytes = keptBytes();
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
      bytes.get(digest, () => server.use((skills) => skills.read(listed, uri, signal()), signal()));

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
  /** Asks for the list again, where the last one counts no longer. Never waits. */
  refresh(): void;
  status(): Omit<SourceStatus, 'hasSkills'>;
}

/** @param onListed gets the skills of each list that comes */
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
      nextAt = performance.now() + Math.min(Math.max(ttlMs, server.leastMs), mostMs);
      onListed(skills);
      if (refused.length > 0) {
        const some = refused.slice(0, mostNamed).join(' ');
        server.onFault(`${refused.length} of its skills cannot be used. ${some}`);
      }
    } catch (error) {
      isThere = false;
      const why = messageOf(error);
      server.onFault(`Its skills cannot be listed. ${why}`);
    }
  };
  return {
    refresh: () => {
      if (performance.now() >= nextAt) {
        nextAt = performance.now() + againMs;
        server.whenQuiet(list).catch(ignore);
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
      const bytes = await read();
      return {
        size,
        head: (length) => part(0, length),
        stream: () => Readable.from([bytes]),
        close: () => Promise.resolve(),
      };
    },
  };
}
