import { createHash } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { problem } from '@knowhow/shared/problem';
import { slug } from '@knowhow/shared/skills/skill-name';
import type { SourcePlugin } from '@knowhow/shared/skills/skill-origin';
import { diagnose, type PackedFile, parseSkill, readSkillDocument } from '@knowhow/skill-format';
import { errorCode } from '../../../platform/lib/error-code.ts';
import { getErrorMessage } from '../../../platform/lib/get-error-message.ts';
import { pacedReadFolder } from '../../../platform/lib/paced-fs.ts';
import { sha256 } from '../../../platform/lib/sha256.ts';
import { defaultSizeLimits, maxSizeLimits, type SizeLimits } from '../archives/unpack-limits.ts';
import type { SourceSkill } from '../conversion/make-skill.ts';
import { createFolderWatch, type FolderWatch } from './folder-watch.ts';
import { readSourceFolder, type SourceFolder, walkSources } from './read-source-folder.ts';
import type {
  FoundSkill,
  Notices,
  OpenSkillFile,
  SkillChange,
  SkillSource,
  SourceFile,
} from './skill-source.ts';
import { watchRoot } from './watch-root.ts';

/**
 * The plugins of this installation: each folder is one, and its content becomes read-only skills.
 */
export interface PluginSource extends SkillSource {
  plugins(): readonly InstalledPlugin[];
  /** Deletes the folder of a plugin. */
  remove(id: string): Promise<void>;
}

export interface InstalledPlugin {
  /** Name of its folder. */
  id: string;
  /** Its manifest; undefined for an AnythingLLM plugin, a flow or a typed skill. */
  manifest: SourcePlugin | undefined;
  skills: { name: string; wantsEverywhere: boolean }[];
  /** Why it cannot be used. */
  fault?: string;
}

interface LoadedPlugin {
  stamp: string;
  /** Its files, relative to the folder of all plugins. */
  paths: readonly string[];
  plugin: InstalledPlugin;
  /** By their path in the source. */
  skills: ReadonlyMap<string, LoadedSkill>;
}

interface LoadedSkill {
  found: FoundSkill;
  files: readonly PackedFile[];
  digest: string;
  changedAt: number;
}

/**
 * Skills of the plugins in a folder, such as `contents/plugins`. Converted skills are kept in
 * memory.
 */
export function pluginSource(
  directory: string,
  limits: SizeLimits = defaultSizeLimits,
): PluginSource {
  let loaded: ReadonlyMap<string, LoadedPlugin> = new Map();
  const watch = createPluginWatch(directory);
  const skillAt = (path: string): LoadedSkill => {
    const skill = loaded.get(path.split('/')[0] ?? '')?.skills.get(path);
    if (!skill) {
      const gone = "The skill's folder is not there any more. Look at the list again.";
      throw problem('not-found', gone);
    }
    return skill;
  };
  const filesAt = (path: string) => skillAt(path).files;
  const source: PluginSource = {
    kind: 'plugin',
    writable: false,
    location: directory,
    key: JSON.stringify(['plugin', directory]),
    list: () => [...loaded.values()].flatMap(({ skills }) => foundIn(skills)),
    plugins: () => [...loaded.values()].map(({ plugin }) => plugin),
    remove: async (id) => {
      if (loaded.has(id)) {
        await rm(join(directory, id), { recursive: true, force: true });
      }
    },
    status: () => ({
      isThere: true,
      hasSkills: true,
      leftOut: { tooDeep: 0, tooMany: 0, closed: [], foreign: [], links: [] },
    }),
    look: async () => {
      const before = loaded;
      loaded = await readPlugins(source, before, limits);
      watch.follow([...loaded.values()].flatMap(({ paths }) => paths));
      return changesBetween(before, loaded);
    },
    watch: watch.listen,
    read: async ({ path }) =>
      filesAt(path).find((file) => file.path === 'SKILL.md')?.bytes ?? new Uint8Array(),
    files: async (path) => {
      const { files, changedAt } = skillAt(path);
      return { files: files.map(packedSourceFile), changedAt };
    },
    open: async (path, name) => openPackedFile(filesAt(path).find((file) => file.path === name)),
    close: watch.close,
  };
  return source;
}

function foundIn(skills: ReadonlyMap<string, LoadedSkill>): FoundSkill[] {
  return [...skills.values()].map(({ found }) => found);
}

async function readPlugins(
  source: SkillSource,
  before: ReadonlyMap<string, LoadedPlugin>,
  limits: SizeLimits,
): Promise<ReadonlyMap<string, LoadedPlugin>> {
  const plugins = new Map<string, LoadedPlugin>();
  for (const id of await foldersIn(source.location)) {
    const folder = await walkSources(join(source.location, id)).catch(() => undefined);
    if (folder) {
      const stamp = stampOf(folder);
      const known = before.get(id);
      const isSame = known?.stamp === stamp;
      plugins.set(
        id,
        isSame ? known : await readPlugin({ id, folder, stamp, source }, known, limits),
      );
    }
  }
  return plugins;
}

async function foldersIn(directory: string): Promise<string[]> {
  try {
    const entries = await pacedReadFolder(directory);
    const folders = entries.filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'));
    return folders.map(({ name }) => name).sort();
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'EACCES'].includes(errorCode(error) ?? '')) {
      return [];
    }
    throw error;
  }
}

function stampOf({ files }: SourceFolder): string {
  const versions = files.map(({ path, version }) => `${path}\0${version}`).sort();
  return sha256(versions.join('\n'));
}

interface PluginFolder {
  id: string;
  folder: SourceFolder;
  stamp: string;
  source: SkillSource;
}

/** An unreadable plugin is reported with its error and does not affect others. */
async function readPlugin(
  { id, folder, stamp, source }: PluginFolder,
  known: LoadedPlugin | undefined,
  limits: SizeLimits,
): Promise<LoadedPlugin> {
  const paths = folder.files.map(({ path }) => `${id}/${path}`);
  try {
    const { skills: sourceSkills, plugins } = await readSourceFolder(folder, {
      prefix: id,
      limits,
      maxBytes: maxSizeLimits.bytes,
    });
    const skills = new Map<string, LoadedSkill>();
    for (const skill of sourceSkills) {
      const path = freePath(`${id}/${folderOf(skill)}`, skills);
      const digest = digestOf(skill.files);
      const former = known?.skills.get(path);
      const found = foundOf(skill, { id, path, source, updatedAt: folder.changedAt });
      const current = { found, files: skill.files, digest, changedAt: folder.changedAt };
      skills.set(path, former?.digest === digest ? former : current);
    }
    const brought = [...skills.values()].flatMap(({ found }) =>
      'id' in found
        ? [{ name: found.id, wantsEverywhere: found.plugin?.wantsEverywhere === true }]
        : [],
    );
    const manifest = plugins.find((plugin) => plugin.folder === id);
    return { stamp, paths, plugin: { id, manifest, skills: brought }, skills };
  } catch (error) {
    const fault = getErrorMessage(error);
    const plugin = { id, manifest: undefined, skills: [], fault };
    return { stamp, paths, plugin, skills: new Map() };
  }
}

/** The name in its `SKILL.md`, like in an import: the plugin may name the folder differently. */
function folderOf({ folder, files }: SourceSkill): string {
  const main = files.find(({ path }) => path === 'SKILL.md');
  const name = main && readSkillDocument(main.bytes).fields.get('name')?.text;
  return slug(name ?? '') || slug(folder) || 'skill';
}

function freePath(path: string, taken: ReadonlyMap<string, unknown>): string {
  let free = path;
  for (let count = 2; taken.has(free); count += 1) {
    free = `${path}-${count}`;
  }
  return free;
}

function digestOf(files: readonly PackedFile[]): string {
  const hash = createHash('sha256');
  for (const { path, bytes } of files) {
    hash.update(`${path}\0${bytes.length}\0`).update(bytes);
  }
  return hash.digest('hex');
}

interface Location {
  /** Id of the plugin. */
  id: string;
  path: string;
  source: SkillSource;
  updatedAt: number;
}

function foundOf(
  { files, diagnostics, origin }: SourceSkill,
  { id, path, source, updatedAt }: Location,
): FoundSkill {
  const main = files.find((file) => file.path === 'SKILL.md');
  const fault = diagnostics.find(({ severity }) => severity === 'error');
  if (!main || fault) {
    return { source, path, diagnostic: fault ?? diagnose('unreadable') };
  }
  const folder = path.split('/').at(-1) ?? '';
  const { skill } = parseSkill(main.bytes, slug(folder) || folder);
  const { off = false, wantsEverywhere = false } = origin ?? {};
  const plugin = { id, startsOff: off, wantsEverywhere };
  return {
    ...skill,
    source,
    path,
    updatedAt,
    plugin,
    diagnostics: [...diagnostics, ...skill.diagnostics],
  };
}

function changesBetween(
  before: ReadonlyMap<string, LoadedPlugin>,
  after: ReadonlyMap<string, LoadedPlugin>,
): SkillChange[] {
  const all = (plugins: ReadonlyMap<string, LoadedPlugin>) =>
    new Map([...plugins.values()].flatMap(({ skills }) => [...skills]));
  const [former, now] = [all(before), all(after)];
  const paths = new Set([...former.keys(), ...now.keys()]);
  return [...paths].flatMap((path) => {
    const [one, other] = [former.get(path)?.found, now.get(path)?.found];
    return one === other ? [] : [{ before: one, after: other }];
  });
}

/** Adapts a file in memory to a source file. */
function packedSourceFile({ path, bytes, executable }: PackedFile): SourceFile {
  const digest = sha256(bytes);
  return {
    path,
    size: bytes.length,
    executable,
    version: `${path}\0${digest}`,
    read: (most) => Promise.resolve(bytes.subarray(0, most)),
    digest: () => Promise.resolve(digest),
  };
}

/** Opens a file in memory. */
function openPackedFile(file: PackedFile | undefined): OpenSkillFile | undefined {
  if (!file) {
    return undefined;
  }
  const { buffer, byteOffset, length } = file.bytes;
  const bytes = Buffer.from(buffer, byteOffset, length);
  return {
    size: bytes.length,
    read: (start, most) => Promise.resolve(bytes.subarray(start, start + most)),
    hold: async () => ({
      size: bytes.length,
      head: (most) => Promise.resolve(bytes.subarray(0, most)),
      stream: () => Readable.from([bytes]),
      close: () => Promise.resolve(),
    }),
  };
}

/** Watches the folders of plugins. */
interface PluginWatch {
  listen(notices: Notices): void;
  /** Sets the files to watch, relative to the folder of all plugins. */
  follow(paths: Iterable<string>): void;
  close(): void;
}

/** Changes beyond this limit are noticed by the periodic scan. */
const maxFolders = 2000;

function createPluginWatch(directory: string): PluginWatch {
  const known = new Map<string, { path: string }>();
  let watch: FolderWatch<{ path: string }> | undefined;
  let endRoot: (() => void) | undefined;
  const follow = (paths: Iterable<string>) => {
    const wanted = foldersOf(paths);
    for (const [path, folder] of known) {
      if (!wanted.has(path)) {
        watch?.stop(folder);
        known.delete(path);
      }
    }
    for (const path of wanted) {
      const folder = known.get(path) ?? { path: join(directory, path) };
      known.set(path, folder);
      if (watch && !watch.isWatching(folder)) {
        watch.start(folder);
      }
    }
    watch?.take();
  };
  return {
    follow,
    listen: ({ noticed, missed }) => {
      watch = createFolderWatch(noticed, missed);
      endRoot = watchRoot(directory, missed);
    },
    close: () => {
      endRoot?.();
      for (const folder of known.values()) {
        watch?.stop(folder);
      }
      known.clear();
    },
  };
}

/** The folders of these paths, including the root as ''. */
function foldersOf(paths: Iterable<string>): Set<string> {
  const folders = new Set(['']);
  for (const path of paths) {
    for (let above = dirname(path); above !== '.'; above = dirname(above)) {
      if (folders.size < maxFolders) {
        folders.add(above);
      }
    }
  }
  return folders;
}
