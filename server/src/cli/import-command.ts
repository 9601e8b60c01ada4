import { createReadStream } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import {
  type LeftOut,
  type LeftOutReason,
  summarizeLeftOut,
} from '@knowhow/shared/skills/left-out';
import { diagnosticsOn, namedTwice, prepareSkill } from '../modules/admin/index.ts';
import {
  keptLimits,
  type ReadSources,
  readSourceFolder,
  readSources,
  reveal,
  walkSources,
  writeFolder,
} from '../modules/skills/index.ts';
import { formatCount } from '../platform/lib/format-count.ts';
import { readAddress } from './read-address.ts';
import { renderTable } from './render-table.ts';
import type { Terminal } from './terminal.ts';
import { UsageError } from './usage-error.ts';

interface Options {
  /** The target folder; nothing is written by default. */
  out: string | undefined;
  json: boolean;
  /** Branch, tag or commit of an address. */
  ref: string | undefined;
  /** Folder of an address. */
  folder: string | undefined;
}

/**
 * Prints the skills of a folder, an archive or a git repository, including converted plugins, flows and typed skills,
 * and writes them if `out` is given. Returns the exit code: 1 if one is rejected.
 */
export async function importCommand(
  path: string,
  { out, json, ...choice }: Options,
  terminal: Terminal,
): Promise<number> {
  const sources = await readAt(path, choice, terminal);
  const prepared = sources.skills.map((skill) => prepareSkill(skill, undefined, undefined));
  const twice = new Set(namedTwice(prepared).map(({ skill }) => skill));
  const reports = prepared.map((skill) => ({
    name: skill.name,
    from: skill.root,
    files: skill.files.length,
    accepted: skill.refusals.length === 0 && !twice.has(skill),
    ...(skill.origin ? { origin: skill.origin } : {}),
    diagnostics: diagnosticsOn(skill),
  }));
  if (out !== undefined) {
    const taken = prepared.filter((_, at) => reports[at]?.accepted);
    await checkFree(taken.map(({ name }) => join(out, name)));
    for (const { name, files } of taken) {
      await writeFolder(resolve(out, name), files);
    }
  }
  terminal.out(
    json
      ? JSON.stringify({ ...sources, skills: reports }, null, 2)
      : `${table(reports)}\n\n${summary(reports, sources)}`,
  );
  return reports.every(({ accepted }) => accepted) ? 0 : 1;
}

async function readAt(
  path: string,
  { ref, folder: below }: Pick<Options, 'ref' | 'folder'>,
  terminal: Terminal,
): Promise<ReadSources> {
  const limits = terminal.sizeLimits();
  const isAddress = /^[a-z][a-z+]*:|^[\w.-]+@[\w.-]+:|^[\w-][\w.-]*\/[\w.-]+$/i.test(path);
  const state = await stat(path).catch(() => undefined);
  if (!state && isAddress) {
    return readAddress(path, { ref, path: below }, terminal);
  }
  if (!state) {
    throw new UsageError(`There is nothing at ${path}.`);
  }
  if (ref !== undefined || below !== undefined) {
    throw new UsageError(`--ref and --path are for the address of a repository, not for ${path}.`);
  }
  const fileName = basename(resolve(path));
  if (!state.isDirectory()) {
    return readSources(state.isFile() ? path : await readPipe(path), { fileName }, limits);
  }
  const folder = await walkSources(path);
  const sources = await readSourceFolder(folder, { prefix: fileName, limits });
  const skipped = await Promise.all(
    (folder.skipped ?? []).map(async ({ path: below, why }) => ({
      path: reveal(`${fileName}/${below}`),
      files: await countFiles(join(path, below)),
      why,
    })),
  );
  return { ...sources, leftOut: summarizeLeftOut([...skipped, ...sources.leftOut]) };
}

/** All bytes of a pipe, which has no size and is read once. */
async function readPipe(path: string): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > keptLimits.bytes) {
      throw new UsageError(`${path} has more than ${keptLimits.bytes} bytes. Read it from a file.`);
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** A folder's files at every depth; one for what is no folder. */
async function countFiles(path: string): Promise<number> {
  if (!path.endsWith('/')) {
    return 1;
  }
  const entries = await readdir(path, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries.filter((entry) => !entry.isDirectory()).length;
}

async function checkFree(paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    if (await stat(path).catch(() => undefined)) {
      throw new UsageError(`There is something at ${path} already. Name another folder.`);
    }
  }
}

interface Report {
  name: string;
  from: string;
  accepted: boolean;
  origin?: NonNullable<ReadSources['skills'][number]['origin']>;
  diagnostics: readonly { code: string; severity: string; message: string }[];
}

function table(reports: readonly Report[]): string {
  return renderTable(
    reports.flatMap(({ name, from, accepted, origin, diagnostics }) => [
      [
        accepted ? name : `${name} (refused)`,
        from,
        origin?.kind ?? 'skill',
        [origin?.tool, origin?.off ? 'off' : undefined].filter(Boolean).join(', '),
      ],
      ...diagnostics.map(({ code, severity, message }) => ['', severity, code, message]),
    ]),
  );
}

function summary(reports: readonly Report[], { plugins, leftOut, commit }: ReadSources): string {
  const refused = reports.filter(({ accepted }) => !accepted).length;
  const lines = plugins.map(
    ({ name, skills, left, models = [] }) =>
      `plugin ${name}: ${formatCount(skills, 'skill')}${models.length > 0 ? `; models: ${models.map(({ id }) => id).join(', ')}` : ''}${left.length > 0 ? `; left: ${left.map(({ what }) => what).join(', ')}` : ''}`,
  );
  const entries =
    leftOut.length === 0 ? [] : ['Left out:', renderTable(leftOut.map(describeLeftOut))];
  const read = commit ? [`Commit ${commit.commit} of ${commit.url}`] : [];
  return [
    ...lines,
    ...entries,
    ...read,
    `${formatCount(reports.length, 'skill')}, ${refused} refused`,
  ].join('\n');
}

function describeLeftOut({ path, files, why }: LeftOut): string[] {
  const count = path === undefined || files > 1 ? ` (${formatCount(files, 'file')})` : '';
  return [`${path ?? 'more'}${count}`, leftOutReasons[why]];
}

/** Why files are left out, for a terminal. */
export const leftOutReasons: Record<LeftOutReason, string> = {
  'system-file': 'left behind by a system or an editor',
  'tool-folder': 'version control, packages or a cache',
  link: 'a link that is not followed: it leads out of the folder, nowhere, or is outside of the skills',
  'back-slash': 'a name with a back-slash, which other systems read as a path: rename it',
  'special-file': 'neither a file nor a folder',
  'too-large': 'outside of the skills, and too large to read',
  'no-skill': "in no skill's folder",
};
