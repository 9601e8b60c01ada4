import { randomUUID } from 'node:crypto';
import { lstat, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { Problem } from '@knowhow/shared/problem';
import { isPlainSkillName } from '@knowhow/shared/skills/skill-name';
import { type PublishedSkill, wellKnownSkillsApi } from '@knowhow/shared/skills/well-known-skills';
import { z } from 'zod';
import { isApiKey } from '../modules/identity/index.ts';
import {
  folderSource,
  type PackedFile,
  publishLimits,
  readContent,
  readSources,
  writeFolder,
} from '../modules/skills/index.ts';
import { makeFolder, syncFolder } from '../platform/lib/durable-fs.ts';
import { errorCode } from '../platform/lib/error-code.ts';
import { getFilesChecksum } from '../platform/lib/files-checksum.ts';
import { formatCount } from '../platform/lib/format-count.ts';
import { getErrorMessage } from '../platform/lib/get-error-message.ts';
import { createGuardedFetch } from '../platform/lib/guarded-fetch.ts';
import { parseJson } from '../platform/lib/parse-json.ts';
import { sha256 } from '../platform/lib/sha256.ts';
import { writeFileAtomic } from '../platform/lib/write-file-atomic.ts';
import { renderTable } from './render-table.ts';
import type { Terminal } from './terminal.ts';
import { UsageError } from './usage-error.ts';

interface Options {
  /** Address of the installation. */
  from: string | undefined;
  /** An API key with the scope *Skills*; without it, the skills of anonymous users. */
  key: string | undefined;
  dryRun: boolean;
}

const lockFile = 'skills-lock.json';
const lockSchema = z.strictObject({
  /** The address of the index. */
  source: z.string(),
  /** Whether it was read with a key. */
  withKey: z.boolean(),
  skills: z.record(
    z.string(),
    z.strictObject({
      /** Digest of the published bytes: `sha256:` and 64 hexadecimal digits. */
      digest: z.string(),
      /** Checksum of the files as they were written. */
      checksum: z.string(),
    }),
  ),
});
type Lock = z.infer<typeof lockSchema>;

/** The limits of published skills. */
const sizeLimits = { ...publishLimits, fileBytes: publishLimits.bytes };

const maxIndexBytes = 20 * 1024 * 1024;
const maxSkillBytes = 32 * 1024 * 1024;

type Action = 'added' | 'updated' | 'removed' | 'unchanged' | 'kept' | 'failed';

interface Step {
  name: string;
  action: Action;
  /** Why a skill is kept or failed. */
  why?: string;
}

/**
 * Makes a folder contain the skills that an installation publishes for the holder of a key, each in a folder of its
 * name. Folders that it did not write, or that were edited since, stay as they are. Returns the exit code: 1 if one of
 * them is in the way or a skill cannot be read.
 */
export async function syncCommand(
  directory: string,
  { from, key, dryRun }: Options,
  terminal: Terminal,
): Promise<number> {
  if (key !== undefined && !isApiKey(key)) {
    // The server would answer as for anonymous users, and sync would remove the other skills.
    throw new UsageError('KNOWHOW_KEY is not an API key. Copy it again, or unset it.');
  }
  const folder = resolve(directory);
  const source = indexAddress(from);
  const lock = await readLock(join(folder, lockFile), source.href, key);
  const publisher = openPublisher(source, key);
  try {
    const published = await publisher.readIndex();
    if (published.length === 0 && Object.keys(lock.skills).length > 0) {
      // A server that has just started has not read its skills yet.
      throw new UsageError(
        `${source.href} lists no skills. Sync again later, or remove the folder if that is right.`,
      );
    }
    if (!dryRun) {
      await removeStaged(folder);
    }
    const sync = createSync({ folder, lock, dryRun, read: publisher.read });
    const steps: Step[] = [];
    for (const skill of published) {
      steps.push(await sync.take(skill));
    }
    const names = new Set(published.map(({ name }) => name));
    for (const name of Object.keys(lock.skills).filter((known) => !names.has(known))) {
      steps.push(await sync.remove(name));
    }
    if (!dryRun) {
      await writeFileAtomic(join(folder, lockFile), `${JSON.stringify(sorted(lock), null, 2)}\n`);
    }
    terminal.out(describe(steps, dryRun));
    return steps.some(({ action }) => action === 'kept' || action === 'failed') ? 1 : 0;
  } catch (error) {
    const code = errorCode(error);
    throw code === undefined
      ? error
      : new UsageError(`${folder} cannot be written (${code}). Check it and its permissions.`);
  } finally {
    await publisher.close();
  }
}

function indexAddress(from: string | undefined): URL {
  const base = from !== undefined && URL.canParse(from) ? new URL(from) : undefined;
  if (!base || !['http:', 'https:'].includes(base.protocol) || base.username || base.password) {
    throw new UsageError('Say from where: knowhow sync DIR --from https://know.example.org.');
  }
  return new URL(wellKnownSkillsApi.index.path, base);
}

async function readLock(path: string, source: string, key: string | undefined): Promise<Lock> {
  const text = await readFile(path, 'utf8').catch(() => undefined);
  if (text === undefined) {
    return { source, withKey: key !== undefined, skills: {} };
  }
  const lock = lockSchema.safeParse(parseJson(text)).data;
  if (!lock || Object.keys(lock.skills).some((name) => !isPlainSkillName(name))) {
    throw new UsageError(`${path} cannot be read. Repair it, or remove it and sync again.`);
  }
  if (lock.source !== source) {
    throw new UsageError(
      `The folder is synced with ${lock.source}. Sync from there, or choose another folder.`,
    );
  }
  if (lock.withKey && key === undefined) {
    throw new UsageError(
      'The folder was synced with a key, and KNOWHOW_KEY is empty. Set it: otherwise the skills of its user would be removed.',
    );
  }
  return { ...lock, withKey: key !== undefined };
}

interface Publisher {
  readIndex(): Promise<PublishedSkill[]>;
  /** The files of a skill. Throws if the bytes have another digest. */
  read(skill: PublishedSkill): Promise<readonly PackedFile[]>;
  close(): Promise<void>;
}

/** Requests go to the given host only, whatever the index says. */
function openPublisher(source: URL, key: string | undefined): Publisher {
  const outbound = createGuardedFetch({ allowPrivate: () => [source.hostname] });
  const headers: Record<string, string> = key ? { authorization: `Bearer ${key}` } : {};
  const get = async (url: URL, maxBytes: number): Promise<Buffer> => {
    const response = await outbound.within({ maxBytes, maxRedirects: 0 })(url, { headers });
    // Also of an error: a body that is not read keeps the connection, and the process, for a minute.
    const body = Buffer.from(await response.arrayBuffer());
    if (!response.ok) {
      throw new UsageError(`${url.href} answered ${response.status}. ${hintOn(response.status)}`);
    }
    return body;
  };
  return {
    readIndex: async () => {
      const bytes = await get(source, maxIndexBytes).catch((error: unknown) => {
        throw error instanceof UsageError
          ? error
          : new UsageError(`${source.href} cannot be read: ${getErrorMessage(error)}`);
      });
      const index = wellKnownSkillsApi.index.response.safeParse(parseJson(bytes.toString('utf8')));
      if (!index.success) {
        throw new UsageError(`${source.href} is not an index of Agent Skills Discovery 0.2.0.`);
      }
      return index.data.skills;
    },
    read: async ({ name, type, url, digest }) => {
      const address = new URL(url, source);
      if (address.origin !== source.origin) {
        throw new Error(`Its address is on another host: ${address.host}.`);
      }
      const bytes = await get(address, maxSkillBytes);
      if (`sha256:${sha256(bytes)}` !== digest) {
        throw new Error('Its bytes do not have the digest of the index. Sync again.');
      }
      if (type === 'skill-md') {
        return [{ path: 'SKILL.md', bytes, executable: false }];
      }
      const { skills } = await readSources(bytes, { fileName: `${name}.tar.gz` }, sizeLimits);
      const [skill] = skills;
      if (!skill || skills.length > 1 || skill.root !== '') {
        throw new Error('Its archive does not contain one skill at the top.');
      }
      return skill.files;
    },
    close: () => outbound.close(),
  };
}

function hintOn(status: number): string {
  return status === 401 || status === 403
    ? 'Set KNOWHOW_KEY to an API key with the scope Skills.'
    : 'Check the address.';
}

interface SyncOptions {
  folder: string;
  /** Updated with each step. */
  lock: Lock;
  dryRun: boolean;
  read: Publisher['read'];
}

function createSync({ folder, lock, dryRun, read }: SyncOptions) {
  const local = folderSource({ kind: 'local', directory: folder, recursive: false });
  /** The checksum of what is at a name; undefined for nothing, 'other' for something that is no folder of files. */
  const checksumAt = async (name: string): Promise<string | undefined> => {
    const found = await lstat(join(folder, name)).catch(() => undefined);
    if (!found?.isDirectory()) {
      return found && 'other';
    }
    return getFilesChecksum(await readContent({ source: local, path: name }));
  };
  const take = async (skill: PublishedSkill): Promise<Step> => {
    const { name, digest } = skill;
    const known = lock.skills[name];
    const checksum = await checksumAt(name);
    const isOurs = known !== undefined && known.checksum === checksum;
    if (isOurs && known.digest === digest) {
      return { name, action: 'unchanged' };
    }
    const files = await read(skill);
    const wanted = await getFilesChecksum(files);
    if (checksum !== undefined && !isOurs && checksum !== wanted) {
      return { name, action: 'kept', why: known ? edited : foreign };
    }
    if (checksum !== wanted && !dryRun) {
      await replaceFolder(folder, name, files);
    }
    lock.skills[name] = { digest, checksum: wanted };
    return { name, action: checksum === undefined ? 'added' : 'updated' };
  };
  return {
    take: async (skill: PublishedSkill): Promise<Step> => {
      const { name } = skill;
      try {
        return isPlainSkillName(name)
          ? await take(skill)
          : { name: JSON.stringify(name), action: 'failed', why: 'It is not the name of a skill.' };
      } catch (error) {
        const why = error instanceof Problem ? error.message : getErrorMessage(error);
        return { name, action: 'failed', why };
      }
    },
    remove: async (name: string): Promise<Step> => {
      const checksum = await checksumAt(name);
      const isOurs = checksum === lock.skills[name]?.checksum;
      delete lock.skills[name];
      if (checksum !== undefined && !isOurs) {
        return { name, action: 'kept', why: 'It is no longer published, but was edited here.' };
      }
      if (!dryRun) {
        await rm(join(folder, name), { recursive: true, force: true });
      }
      return { name, action: 'removed' };
    },
  };
}

const edited = 'It was edited here. Move the folder away, and sync again to get the published one.';
const foreign =
  'There is a folder of this name that sync did not write. Move it away, and sync again.';

/** After a crash the folder may be missing: the next sync writes it. */
async function replaceFolder(
  folder: string,
  name: string,
  files: readonly PackedFile[],
): Promise<void> {
  const staged = join(folder, `${stagingPrefix}${randomUUID()}`);
  const target = join(folder, name);
  await makeFolder(folder);
  try {
    await writeFolder(join(staged, 'new'), files);
    if (await lstat(target).catch(() => undefined)) {
      await rename(target, join(staged, 'old'));
    }
    await rename(join(staged, 'new'), target);
    await syncFolder(folder);
  } finally {
    await rm(staged, { recursive: true, force: true });
  }
}

const stagingPrefix = '.sync-';

/** Removes what a crash has left. */
async function removeStaged(folder: string): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  for (const name of names.filter((each) => each.startsWith(stagingPrefix))) {
    await rm(join(folder, name), { recursive: true, force: true });
  }
}

/** The same bytes for the same skills. */
function sorted({ skills, ...lock }: Lock): Lock {
  const entries = Object.entries(skills).sort(([one], [other]) => (one < other ? -1 : 1));
  return { ...lock, skills: Object.fromEntries(entries) };
}

function describe(steps: readonly Step[], dryRun: boolean): string {
  const shown = steps.filter(({ action }) => action !== 'unchanged');
  const count = (action: Action) => steps.filter((step) => step.action === action).length;
  const actions: Action[] = ['added', 'updated', 'removed', 'kept', 'failed'];
  const counts = actions.map((action) => `${count(action)} ${action}`).join(', ');
  const total = `${formatCount(steps.length - count('removed'), 'skill')}: ${counts}.`;
  const rows = shown.map(({ name, action, why = '' }) => [action, name, why]);
  return [
    ...(rows.length > 0 ? [renderTable(rows), ''] : []),
    dryRun ? `${total} Nothing was written.` : total,
  ].join('\n');
}
