import { stat } from 'node:fs/promises';
import { basename, dirname, resolve } from 'node:path';
import { Problem, problemSchema } from '@knowhow/shared/problem';
import { type SkillDraft, skillDraftSchema } from '@knowhow/shared/skills/skill-drafts';
import { type SkillReview, skillReviewSchema } from '@knowhow/shared/skills/skill-reviews';
import type { z } from 'zod';
import {
  findMain,
  folderSource,
  maxSizeLimits,
  type PackedFile,
  readContent,
  writeArchive,
} from '../modules/skills/index.ts';
import { getFilesChecksum } from '../platform/lib/files-checksum.ts';
import { formatCount } from '../platform/lib/format-count.ts';
import { leftOutReasons } from './import-command.ts';
import {
  checkKey,
  indexAddress,
  openInstallation,
  type RemoteInstallation,
} from './remote-installation.ts';
import { isSecretFile } from './secret-files.ts';
import { checkLockSource, readLock, type SkillsLock, writeLock } from './skills-lock.ts';
import { draftPath } from './submitted-review.ts';
import { type Terminal, toLine } from './terminal.ts';
import { UsageError } from './usage-error.ts';

interface Options {
  /** Address of the installation. A lock file does not decide which host gets the key: others may have written it. */
  to: string | undefined;
  /** The author's words about the change. */
  message: string | undefined;
  /** Whether the skill's open draft may be overwritten, and its review withdrawn. */
  replace: boolean;
  /** Whether the address may be one without encryption. */
  insecureHttp: boolean;
}

/** A skill in a folder here, and the installation that it is sent to. */
interface Task {
  name: string;
  /** The folder above. */
  folder: string;
  lock: SkillsLock | undefined;
  index: URL;
  installation: RemoteInstallation;
}

const usage =
  'Say where to: knowhow publish NAME --to https://know.example.org --message "What has changed".';

/**
 * Sends the files of a folder to an installation as a draft of the skill of its name, and submits it. Publishes it if
 * the installation lets the key's user publish without a review. Refuses to overwrite a version that is newer than the
 * last sync, or, unless asked for, a draft.
 *
 * @returns the exit code: 1 if the draft is submitted but cannot be published
 */
export async function publishCommand(
  path: string,
  { to, message, replace, insecureHttp }: Options,
  terminal: Terminal,
): Promise<number> {
  const key = terminal.key();
  checkKey(key);
  if (key === undefined) {
    throw new UsageError(
      'Set KNOWHOW_KEY to an API key with the scopes Skills and Authoring. You create one in your account menu.',
    );
  }
  if (!message?.trim()) {
    throw new UsageError('Say what has changed: --message "…".');
  }
  const { files, skipped } = await readFolder(path);
  const folder = dirname(resolve(path));
  const index = indexAddress(to, usage, insecureHttp);
  const lock = await readLock(folder);
  if (lock) {
    checkLockSource(lock, index);
  }
  const name = basename(resolve(path));
  const installation = openInstallation(index, key);
  const task = { name, folder, lock, index, installation };
  try {
    await checkNewest(task);
    for (const line of skipped) {
      terminal.error(line);
    }
    const draft = await saveDraft(task, files, replace);
    const submit = `${draftPath(name)}/submit`;
    const review = await send(task, 'POST', submit, skillReviewSchema, {
      json: { message: message.trim() },
    });
    return await publishOrLeave(task, { files, draft, review }, terminal);
  } finally {
    await installation.close();
  }
}

/** Reads the files of a folder that are sent, with a line for each entry that is not. */
async function readFolder(
  path: string,
): Promise<{ files: readonly PackedFile[]; skipped: readonly string[] }> {
  const folder = resolve(path);
  const isFolder = await stat(folder).then(
    (found) => found.isDirectory(),
    () => false,
  );
  const source = folderSource({ kind: 'local', directory: dirname(folder), recursive: false });
  const location = { source, path: basename(folder) };
  const all = isFolder ? await readAll(location) : [];
  const files = all.filter((file) => !isSecretFile(file.path));
  if (!findMain(files)) {
    throw new UsageError(`${folder} is not the folder of a skill: it has no SKILL.md.`);
  }
  const { skipped = [] } = await source.files(location.path);
  const left = [
    ...skipped.map((entry) => [entry.path, leftOutReasons[entry.why]]),
    ...all
      .filter((file) => isSecretFile(file.path))
      .map((file) => [file.path, 'may contain passwords or keys']),
  ];
  const more = left.length - maxShown;
  return {
    files,
    skipped: [
      ...left.slice(0, maxShown).map(([name = '', why]) => `Left out ${toLine(name)}: ${why}.`),
      ...(more > 0 ? [`Left out ${formatCount(more, 'more entry', 'more entries')}.`] : []),
    ],
  };
}

async function readAll(location: Parameters<typeof readContent>[0]): Promise<PackedFile[]> {
  try {
    return await readContent(location, maxSizeLimits);
  } catch (error) {
    throw error instanceof Problem ? new UsageError(error.message) : error;
  }
}

/** How many left out entries are named. */
const maxShown = 20;

/** Throws a usage error if another version is published than the one that was synced. */
async function checkNewest({ name, lock, index, installation }: Task): Promise<void> {
  const known = lock?.skills[name]?.digest;
  const published = (await installation.readIndex()).find((skill) => skill.name === name)?.digest;
  if (known === published) {
    return;
  }
  if (known === undefined) {
    throw new UsageError(
      `${index.host} has a skill "${name}" already. Get it with knowhow sync, and change that folder.`,
    );
  }
  throw new UsageError(
    published === undefined
      ? `${index.host} no longer offers you skill "${name}". Ask an administrator there.`
      : `Skill "${name}" was changed on ${index.host} since the last sync. Move your folder away, sync, and repeat your change in the new folder.`,
  );
}

async function saveDraft(
  task: Task,
  files: readonly PackedFile[],
  replace: boolean,
): Promise<SkillDraft> {
  const { name, lock, index } = task;
  const path = draftPath(name);
  const found = await task.installation.send('GET', `${path}?contents=false`);
  const before = found.status === 404 ? undefined : parse(task, found, skillDraftSchema);
  const page = new URL(`/admin/skills/${encodeURIComponent(name)}`, index);
  if (before && !replace) {
    throw new UsageError(
      `Skill "${name}" has a draft by ${toLine(before.updatedBy)}, saved on ${toLine(before.updated.slice(0, 10))}: ${page.href}. Overwrite it with --replace, or finish it there.`,
    );
  }
  if (before?.isOutdated) {
    throw new UsageError(
      `The draft of skill "${name}" is based on an older version. Discard it on ${page.href}, then publish again.`,
    );
  }
  if (before?.review) {
    const withdraw = `${reviewPath(before.review.id)}/withdraw`;
    await send(task, 'POST', withdraw, skillReviewSchema, { json: {} });
  }
  const expected = before?.etag ?? lock?.skills[name]?.checksum;
  const body = new Uint8Array(await writeArchive(name, files, 'tar.gz'));
  return send(task, 'PUT', path, skillDraftSchema, {
    body,
    headers: {
      'content-type': 'application/gzip',
      ...(expected === undefined ? { 'if-none-match': '*' } : { 'if-match': `"${expected}"` }),
    },
  });
}

interface Submitted {
  files: readonly PackedFile[];
  draft: SkillDraft;
  review: SkillReview;
}

/** Approves where no review is required; otherwise a reviewer decides. */
async function publishOrLeave(
  task: Task,
  { files, draft: { policy }, review: { id } }: Submitted,
  terminal: Terminal,
): Promise<number> {
  const page = new URL(`/admin/reviews/${encodeURIComponent(id)}`, task.index).href;
  const approve = `${reviewPath(id)}/approve`;
  const answer =
    policy.mode === 'direct'
      ? await task.installation.send('POST', approve, jsonContent({}))
      : undefined;
  if (answer === undefined || answer.status === 403) {
    await recordSubmitted(task, files, page);
    terminal.out(`Submitted "${task.name}" for review: ${page}`);
    return 0;
  }
  if (answer.status !== 200) {
    terminal.error(`"${task.name}" is submitted, but not published. ${detailOf(answer)} ${page}`);
    return 1;
  }
  const { decided } = parse(task, answer, skillReviewSchema);
  await recordPublished(task, files);
  terminal.out(`Published "${task.name}" as version ${decided?.version}.`);
  return 0;
}

/** So that a sync knows why the folder is another one than the published skill. */
async function recordSubmitted(
  { name, folder, lock }: Task,
  files: readonly PackedFile[],
  review: string,
): Promise<void> {
  const known = lock?.skills[name];
  if (lock && known) {
    lock.skills[name] = {
      ...known,
      submitted: { checksum: await getFilesChecksum(files), review },
    };
    await writeLock(folder, lock);
  }
}

/** So that the next change needs no sync before. */
async function recordPublished(
  { name, folder, lock, installation }: Task,
  files: readonly PackedFile[],
): Promise<void> {
  const published = (await installation.readIndex()).find((skill) => skill.name === name);
  if (lock && published) {
    const checksum = await getFilesChecksum(files);
    lock.skills[name] = { digest: published.digest, checksum };
    await writeLock(folder, lock);
  }
}

type Sent =
  | { json: object }
  | { body: Uint8Array<ArrayBuffer>; headers: Readonly<Record<string, string>> };

/** Calls the API. Throws a usage error with the problem's text for any other answer than success. */
async function send<Schema extends z.ZodType>(
  task: Task,
  method: string,
  path: string,
  schema: Schema,
  sent: Sent,
): Promise<z.output<Schema>> {
  const content = 'json' in sent ? jsonContent(sent.json) : sent;
  return parse(task, await task.installation.send(method, path, content), schema);
}

type Answer = Awaited<ReturnType<RemoteInstallation['send']>>;

function parse<Schema extends z.ZodType>(
  { index }: Task,
  answer: Answer,
  schema: Schema,
): z.output<Schema> {
  if (answer.status >= 400) {
    throw new UsageError(detailOf(answer));
  }
  const parsed = schema.safeParse(answer.body);
  if (!parsed.success) {
    throw new UsageError(`${index.host} answered in an unknown format. It needs the same version.`);
  }
  return parsed.data;
}

function detailOf({ status, body }: Answer): string {
  const { detail } = problemSchema.safeParse(body).data ?? {};
  return detail === undefined ? `The server answered ${status}.` : toLine(detail);
}

function jsonContent(value: object) {
  return { body: JSON.stringify(value), headers: { 'content-type': 'application/json' } };
}

function reviewPath(id: string): string {
  return `/api/skill-reviews/${encodeURIComponent(id)}`;
}
