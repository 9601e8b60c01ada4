import { slug } from '@knowhow/shared/skills/skill-name';
import { parseSkill } from '@knowhow/skill-format';
import type { Kysely } from 'kysely';
import type { Schema } from '../../../platform/storage/schema.ts';
import type { FolderSource } from '../store/folder-skill.ts';
import type { SkillChange, SkillSource, StoredSkill } from '../store/skill-source.ts';
import { readBlob } from '../versions/skill-blobs.ts';
import { createVersionSource } from '../versions/version-source.ts';
import { type PublishedFiles, readPublished } from './published-rows.ts';

/**
 * The local skills as they are published, from the database. An edit in their folder is never offered, not even for a
 * moment: nothing is read from the folder but the paths of the skills.
 */
export interface PublishedSource extends SkillSource {
  /** The folder of local skills. */
  readonly folder: FolderSource;
  /** Reads one skill, or all. The next look returns the changes. */
  refresh(name?: string): Promise<void>;
  /** The published version of a skill. */
  find(name: string): PublishedFiles | undefined;
  /** Names of the published skills. */
  names(): Iterable<string>;
  /** The path of the folder of a skill, whether it is published or not. */
  pathOf(name: string): string;
  /** Names of the skills with a folder. */
  folderNames(): Iterable<string>;
  /** Folders that are not compared, because another folder has a skill of the same name. */
  listDuplicates(): readonly DuplicateFolder[];
}

/** A folder whose skill has the name of the skill in another folder. */
export interface DuplicateFolder {
  path: string;
  /** The folder that is read. */
  used: string;
}

interface Options {
  folder: FolderSource;
  database: Kysely<Schema>;
  /** Called when something in the folder has changed. */
  onFolder: () => void;
}

interface Published extends PublishedFiles {
  skill: StoredSkill;
}

export function createPublishedSource({ folder, database, onFolder }: Options): PublishedSource {
  const state = createPublishedState({ folder, database, source: () => source });
  let loaded: Promise<void> | undefined;
  const source: PublishedSource = {
    ...createVersionSource({
      location: 'versions',
      find: state.findAt,
      read: ({ digest }) => readBlob(database, digest),
    }),
    writable: true,
    location: folder.location,
    key: `published ${folder.key}`,
    folder,
    list: state.list,
    status: () => folder.status(),
    look: async (at) => {
      const moved = await folder.look(at);
      if (moved.length > 0 || !loaded) {
        state.followFolders();
      }
      loaded ??= state.refresh();
      await loaded.catch((error: unknown) => {
        loaded = undefined;
        throw error;
      });
      return state.takeChanges();
    },
    watch: ({ noticed, missed }) => {
      folder.watch({
        noticed: () => {
          noticed();
          onFolder();
        },
        missed: () => {
          missed();
          onFolder();
        },
      });
    },
    close: () => folder.close(),
    refresh: (one) => {
      const done = state.refresh(one);
      if (one === undefined) {
        loaded = done;
      }
      return done;
    },
    find: state.find,
    names: state.names,
    pathOf: state.pathOf,
    folderNames: state.folderNames,
    listDuplicates: () =>
      folder.list().flatMap(({ path }) => {
        const used = state.pathOf(nameOf(path));
        return path === '' || path === used ? [] : [{ path, used }];
      }),
  };
  return source;
}

/** The published skills and their paths. Follows the database and the paths of the folders. */
function createPublishedState({
  folder,
  database,
  source,
}: Omit<Options, 'onFolder'> & { source: () => SkillSource }) {
  let published = new Map<string, Published>();
  let names = new Map<string, string>();
  let paths = new Map<string, string>();
  let changes: SkillChange[] = [];
  let work: Promise<unknown> = Promise.resolve();
  const pathOf = (name: string) => paths.get(name) ?? published.get(name)?.skill.path ?? name;
  const toPublished = (files: PublishedFiles): Published => ({
    ...files,
    skill: toSkill(source(), files, pathOf(files.name)),
  });
  const replace = (next: Map<string, Published>) => {
    for (const [name, { skill: before }] of published) {
      const after = next.get(name)?.skill;
      if (after !== before) {
        changes.push({ before, after });
      }
    }
    for (const [name, { skill: after }] of next) {
      if (!published.has(name)) {
        changes.push({ before: undefined, after });
      }
    }
    published = next;
    names = new Map([...next].map(([name, { skill }]) => [skill.path, name]));
  };
  const read = async (one: string | undefined) => {
    const next = one === undefined ? new Map<string, Published>() : new Map(published);
    if (one !== undefined) {
      next.delete(one);
    }
    for await (const batch of readPublished(database, one)) {
      for (const files of batch) {
        const known = published.get(files.name);
        const isSame = known?.number === files.number && known.checksum === files.checksum;
        next.set(files.name, isSame ? known : toPublished(files));
      }
    }
    replace(next);
  };
  /** Skills whose folders were moved keep their files, at the new paths. */
  const followFolders = () => {
    paths = findFolders(folder);
    const isMoved = ({ name, skill }: Published) => pathOf(name) !== skill.path;
    if ([...published.values()].some(isMoved)) {
      replace(
        new Map(
          [...published].map(([name, each]) => [name, isMoved(each) ? toPublished(each) : each]),
        ),
      );
    }
  };
  const refresh = (one?: string) => {
    const done = work.then(() => read(one));
    work = done.catch(() => undefined);
    return done;
  };
  return {
    refresh,
    followFolders,
    pathOf,
    find: (name: string) => published.get(name),
    findAt: (path: string) => published.get(names.get(path) ?? ''),
    names: () => published.keys(),
    folderNames: () => paths.keys(),
    list: () =>
      [...published.values()]
        .map(({ skill }) => skill)
        .sort((one, other) => (one.path < other.path ? -1 : 1)),
    takeChanges: () => {
      const found = changes;
      changes = [];
      return found;
    },
  };
}

function toSkill(
  source: SkillSource,
  { main, createdAt }: PublishedFiles,
  path: string,
): StoredSkill {
  const { skill } = parseSkill(main ?? new Uint8Array(), path.split('/').at(-1) ?? path);
  return { ...skill, source, path, updatedAt: createdAt };
}

/** The path of the folder of each skill by name: the folder with its very name comes first. */
function findFolders(folder: FolderSource): Map<string, string> {
  const paths = new Map<string, string>();
  for (const { path } of folder.list()) {
    const name = nameOf(path);
    if (path !== '' && (path === name || !paths.has(name))) {
      paths.set(name, path);
    }
  }
  return paths;
}

/** The name of the skill in a folder. */
export function nameOf(path: string): string {
  return slug(path.split('/').at(-1) ?? path);
}
