import { randomUUID } from 'node:crypto';
import { lstat, readdir, rename, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { Problem } from '@knowhow/shared/problem';
import { isPlainSkillName } from '@knowhow/shared/skills/skill-name';
import type { PublishedSkill } from '@knowhow/shared/skills/well-known-skills';
import {
  folderSource,
  type PackedFile,
  readContent,
  writeFolder,
} from '../modules/skills/index.ts';
import { makeFolder, syncFolder } from '../platform/lib/durable-fs.ts';
import { errorCode } from '../platform/lib/error-code.ts';
import { getFilesChecksum } from '../platform/lib/files-checksum.ts';
import { formatCount } from '../platform/lib/format-count.ts';
import { getErrorMessage } from '../platform/lib/get-error-message.ts';
import {
  checkKey,
  indexAddress,
  openInstallation,
  type RemoteInstallation,
} from './remote-installation.ts';
import { renderTable } from './render-table.ts';
import { isSecretFile } from './secret-files.ts';
import { checkLockSource, readLock, type SkillsLock, writeLock } from './skills-lock.ts';
import { readSubmittedReview } from './submitted-review.ts';
import { type Terminal, toLine } from './terminal.ts';
import { UsageError } from './usage-error.ts';

interface Options {
  /** Address of the installation. */
  from: string | undefined;
  /** An API key with the scope *Skills*; without it, the skills of anonymous users. */
  key: string | undefined;
  dryRun: boolean;
  /** Whether the address may be one without encryption. */
  insecureHttp: boolean;
}

type Action = 'added' | 'updated' | 'removed' | 'unchanged' | 'kept' | 'failed';

interface Step {
  name: string;
  action: Action;
  /** Why a skill is kept or failed. */
  why?: string;
  /** It is kept because it waits for a review. */
  isSubmitted?: boolean;
}

const usage = 'Say from where: knowhow sync DIR --from https://know.example.org.';

/**
 * Makes a folder contain the skills that an installation publishes for the holder of a key, each in a folder of its
 * name. Folders that it did not write, or that were edited since, stay as they are. Returns the exit code: 1 if one of
 * them is in the way or a skill cannot be read; a folder whose review is open is not in the way.
 */
export async function syncCommand(
  directory: string,
  { from, key, dryRun, insecureHttp }: Options,
  terminal: Terminal,
): Promise<number> {
  checkKey(key);
  const folder = resolve(directory);
  const source = indexAddress(from, usage, insecureHttp);
  const lock = await openLock(folder, source, key);
  const installation = openInstallation(source, key);
  try {
    const published = await installation.readIndex();
    if (published.length === 0 && Object.keys(lock.skills).length > 0) {
      // A server that has just started has not read its skills yet.
      throw new UsageError(
        `${source.href} lists no skills. Sync again later, or remove the folder if that is right.`,
      );
    }
    if (!dryRun) {
      await removeStaged(folder);
    }
    const sync = createSync({ folder, lock, dryRun, installation });
    const steps: Step[] = [];
    for (const skill of published) {
      steps.push(await sync.take(skill));
    }
    const names = new Set(published.map(({ name }) => name));
    for (const name of Object.keys(lock.skills).filter((known) => !names.has(known))) {
      steps.push(await sync.remove(name));
    }
    if (!dryRun) {
      await writeLock(folder, lock);
    }
    terminal.out(describe(steps, dryRun));
    const needsAttention = ({ action, isSubmitted }: Step) =>
      action === 'failed' || (action === 'kept' && !isSubmitted);
    return steps.some(needsAttention) ? 1 : 0;
  } catch (error) {
    const code = errorCode(error);
    throw code === undefined
      ? error
      : new UsageError(`${folder} cannot be written (${code}). Check it and its permissions.`);
  } finally {
    await installation.close();
  }
}

/** The lock of a folder that may be synced with this index and key. */
async function openLock(folder: string, source: URL, key: string | undefined): Promise<SkillsLock> {
  const lock = await readLock(folder);
  if (!lock) {
    return { source: source.href, withKey: key !== undefined, skills: {} };
  }
  checkLockSource(lock, source);
  if (lock.withKey && key === undefined) {
    throw new UsageError(
      'The folder was synced with a key, and KNOWHOW_KEY is empty. Set it: otherwise the skills of its user would be removed.',
    );
  }
  return { ...lock, withKey: key !== undefined };
}

interface SyncOptions {
  folder: string;
  /** Updated with each step. */
  lock: SkillsLock;
  dryRun: boolean;
  installation: Pick<RemoteInstallation, 'readSkill' | 'send'>;
}

/** The entry at a name. */
interface Found {
  /** Undefined for nothing, 'other' for something that is no folder of files. */
  checksum: string | undefined;
  /** Whether it has files that are not published, because they may contain passwords. The checksum leaves them out. */
  hasSecrets: boolean;
}

function createSync({ folder, lock, dryRun, installation }: SyncOptions) {
  const local = folderSource({ kind: 'local', directory: folder, recursive: false });
  const find = async (name: string): Promise<Found> => {
    const found = await lstat(join(folder, name)).catch(() => undefined);
    if (!found?.isDirectory()) {
      return { checksum: found && 'other', hasSecrets: false };
    }
    const files = await readContent({ source: local, path: name });
    const checksum = await getFilesChecksum(files);
    // `publish` leaves them out.
    const others = files.filter(({ path }) => !isSecretFile(path));
    return others.length === files.length || checksum === lock.skills[name]?.checksum
      ? { checksum, hasSecrets: false }
      : { checksum: await getFilesChecksum(others), hasSecrets: true };
  };
  const take = async (skill: PublishedSkill): Promise<Step> => {
    const { name, digest } = skill;
    const known = lock.skills[name];
    const { checksum, hasSecrets } = await find(name);
    const isOurs = known !== undefined && known.checksum === checksum;
    if (isOurs && known.digest === digest) {
      return { name, action: 'unchanged' };
    }
    const files = await installation.readSkill(skill);
    const wanted = await getFilesChecksum(files);
    const submitted = known?.submitted;
    const isPending = submitted !== undefined && known?.digest === digest;
    if (isPending && checksum !== wanted && checksum === submitted.checksum) {
      const { why, isOpen } = await readSubmittedReview(installation, name, submitted.review);
      return { name, action: 'kept', why, isSubmitted: isOpen };
    }
    if (checksum !== undefined && !isOurs && checksum !== wanted) {
      return { name, action: 'kept', why: known ? edited : foreign };
    }
    if (checksum !== wanted && hasSecrets) {
      return { name, action: 'kept', why: secrets };
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
        return { name, action: 'failed', why: toLine(why) };
      }
    },
    remove: async (name: string): Promise<Step> => {
      const { checksum, hasSecrets } = await find(name);
      const isOurs = checksum === lock.skills[name]?.checksum;
      delete lock.skills[name];
      if (checksum !== undefined && !isOurs) {
        return { name, action: 'kept', why: 'It is no longer published, but was edited here.' };
      }
      if (hasSecrets) {
        return { name, action: 'kept', why: `It is no longer published. ${secrets}` };
      }
      if (!dryRun) {
        await rm(join(folder, name), { recursive: true, force: true });
      }
      return { name, action: 'removed' };
    },
  };
}

const edited = 'It was edited here. Move the folder away, and sync again to get the published one.';
const secrets =
  'It has files that may contain passwords or keys, such as .env. Move them away, and sync again.';
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
