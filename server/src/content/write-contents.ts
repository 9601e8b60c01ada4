import { isDeepStrictEqual } from 'node:util';
import { type Group, groupSchema } from '@knowhow/shared/access/groups';
import { promptConfigSchema } from '@knowhow/shared/chat/prompts';
import type { ConfigItem, ConfigKind } from '@knowhow/shared/config/admin-config';
import { appConfigSchema } from '@knowhow/shared/config/app-config';
import { isRecord } from '@knowhow/shared/is-record';
import { type ProblemIssue, problem } from '@knowhow/shared/problem';
import type { z } from 'zod';
import { knownModelSchema } from '../models/known-model.ts';
import type { AllowedVariables } from './allowed-variables.ts';
import { checkUnchanged } from './check-unchanged.ts';
import { type CommitFolders, commitFiles, undoCommit } from './commit-files.ts';
import {
  type Change,
  type ConfigChange,
  type ConfigFile,
  changed,
  platformFile,
  refuseFile,
  skillsFile,
  toolsFile,
  updateConfigFile,
} from './config-file.ts';
import { configIssues } from './config-issues.ts';
import { checksumOf, configItem } from './config-item.ts';
import type { ContentStore } from './content-store.ts';
import { fillPlaceholders } from './fill-placeholders.ts';
import { groupsFile } from './groups-file.ts';
import { itemFiles } from './item-files.ts';
import type { RawConfig } from './raw-config.ts';
import type { RawItem, RawItems } from './raw-items.ts';
import { type RawFile, type StagedFiles, stageFiles } from './staged-files.ts';

/**
 * The configuration files as they are, for an admin to read and write: placeholders are kept, and
 * so are unknown fields. One write runs at a time; when it is done, it is active.
 */
export interface ContentWriter {
  list(kind: ConfigKind): Promise<ConfigItem[]>;
  get(kind: ConfigKind, id: string): Promise<ConfigItem>;
  /** Writes an item, new or in place of what is there, and answers it as it is then. */
  put(kind: ConfigKind, id: string, write: ConfigWrite): Promise<ConfigPut>;
  remove(kind: ConfigKind, id: string, removal?: ConfigRemoval): Promise<ConfigChange>;
  /** A file of its own as it is; undefined when there is none. */
  readFile(path: string): Promise<RawFile | undefined>;
  /** Makes active what somebody else has changed on the disk. */
  reload(): Promise<void>;
  /** Changes several of them, all or none: what `run` makes is written, and active, once it resolves. */
  transaction<Result>(run: (transaction: ContentTransaction) => Promise<Result>): Promise<Result>;
}

/** Changes that are made together. Each sees what those before it have made. */
export interface ContentTransaction {
  updateApp(id: string, change: Change): Promise<ConfigChange>;
  updateGroup(id: string, change: Change): Promise<ConfigChange>;
  /** `config/platform.json`, made where it is missing. */
  updatePlatformConfig(change: Change): Promise<ConfigChange>;
  /** `config/skills.json`, likewise. */
  updateSkillsConfig(change: Change): Promise<ConfigChange>;
  /** `config/tools.json`, likewise. */
  updateToolsConfig(change: Change): Promise<ConfigChange>;
}

interface ConfigWrite {
  config: RawConfig;
  /** The checksum of what the writer has seen. */
  expected?: string | undefined;
  /** Throws when it may not become this. */
  check?: (after: RawConfig) => void;
}

interface ConfigRemoval {
  expected?: string | undefined;
  /** Throws when it must not go. */
  check?: () => Promise<void>;
}

interface ConfigPut extends ConfigChange {
  item: ConfigItem;
}

interface Options extends CommitFolders {
  content: ContentStore;
  /** Runs one thing at a time: writes here, and whatever else they must not meet. */
  withLock: <Result>(run: () => Promise<Result>) => Promise<Result>;
  /** Runs what writes files; around that. */
  writeFiles?: <Result>(run: () => Promise<Result>) => Promise<Result>;
  /** Throws when these may not become the groups. */
  checkGroups: (groups: ReadonlyMap<string, Group>) => Promise<void>;
}

/** Where the items of a kind are kept, and what they have to be. */
interface Collection {
  word: string;
  schema: z.ZodType;
  items: RawItems;
  variables: () => AllowedVariables;
}

export function createContentWriter(options: Options): ContentWriter {
  const { content, directory, withLock, writeFiles = (run) => run() } = options;
  const now = () => openCollections(options, stageFiles(directory));
  const read = async (kind: ConfigKind, id: string) =>
    configItem(kind, await get(now()[kind], id), content.current.faults);
  const write = <Result>(run: (files: StagedFiles, collections: Collections) => Promise<Result>) =>
    writeFiles(() =>
      withLock(async () => {
        // What a dead disk did not let be put back.
        await undoCommit(options);
        const files = stageFiles(directory);
        const result = await run(files, openCollections(options, files));
        const changes = files.changes();
        if (changes.length > 0) {
          await commitFiles(options, changes);
          await content.reload();
        }
        return result;
      }),
    );
  return {
    list: async (kind) => {
      const items = await now()[kind].items.list();
      return items
        .sort((one, other) => one.id.localeCompare(other.id))
        .map((item) => configItem(kind, item, content.current.faults));
    },
    get: read,
    put: async (kind, id, wanted) => {
      const change = await write((_, collections) => put(collections[kind], id, wanted));
      return { ...change, item: await read(kind, id) };
    },
    remove: (kind, id, removal = {}) =>
      write(async (_, collections) => {
        const change = await remove(collections[kind], id, removal);
        if (kind !== 'groups') {
          await withdrawGrants(collections.groups, kind, id);
        }
        return change;
      }),
    readFile: (path) => stageFiles(directory).read(path),
    reload: () =>
      withLock(async () => {
        await undoCommit(options);
        await content.reload();
      }),
    transaction: (run) =>
      write((files, { apps, groups }) => {
        const updateFile = (file: ConfigFile, change: Change) =>
          updateConfigFile(file, { files, contents: content.current }, change);
        return run({
          updateApp: (id, change) => update(apps, id, change),
          updateGroup: (id, change) => update(groups, id, change),
          updatePlatformConfig: (change) => updateFile(platformFile, change),
          updateSkillsConfig: (change) => updateFile(skillsFile, change),
          updateToolsConfig: (change) => updateFile(toolsFile, change),
        });
      }),
  };
}

type Collections = Record<ConfigKind, Collection>;

function openCollections(options: Options, files: StagedFiles): Collections {
  const variables = () => options.content.current.variables;
  const inFolder = (folder: 'apps' | 'models' | 'prompts') =>
    itemFiles({ files, folder, variables });
  return {
    apps: { word: 'app', schema: appConfigSchema, items: inFolder('apps'), variables },
    groups: {
      word: 'group',
      schema: groupSchema,
      items: groupsFile({ ...options, files, variables }),
      variables,
    },
    models: { word: 'model', schema: knownModelSchema, items: inFolder('models'), variables },
    prompts: { word: 'prompt', schema: promptConfigSchema, items: inFolder('prompts'), variables },
  };
}

async function find({ items }: Collection, id: string): Promise<RawItem | undefined> {
  return (await items.list()).find((item) => item.id === id);
}

async function get(collection: Collection, id: string): Promise<RawItem> {
  const found = await find(collection, id);
  if (!found) {
    throw problem('not-found', `There is no ${collection.word} "${id}".`);
  }
  return found;
}

async function put(collection: Collection, id: string, wanted: ConfigWrite): Promise<ConfigChange> {
  const found = await find(collection, id);
  checkUnchanged(wanted.expected, found && checksumOf(found));
  const after = Object.hasOwn(wanted.config, 'id') ? wanted.config : { id, ...wanted.config };
  refuseRequest(configIssues(after, { ...collection, variables: collection.variables(), id }));
  if (found && isDeepStrictEqual(found.config, after)) {
    return { before: after, after, changed: false };
  }
  wanted.check?.(fillPlaceholders(after, collection.variables()) as RawConfig);
  await collection.items.write(id, after, found);
  return { before: found && (found.config ?? found.text), after, changed: true };
}

async function remove(
  collection: Collection,
  id: string,
  { expected, check }: ConfigRemoval,
): Promise<ConfigChange> {
  const found = await get(collection, id);
  checkUnchanged(expected, checksumOf(found));
  await check?.();
  await collection.items.remove(found);
  return { before: found.config ?? found.text, after: undefined, changed: true };
}

/** A new item of the same id is not for those who were granted the old one. */
async function withdrawGrants(
  { items }: Collection,
  kind: Exclude<ConfigKind, 'groups'>,
  id: string,
): Promise<void> {
  for (const group of await items.list()) {
    const permissions = group.config?.permissions;
    const granted = isRecord(permissions) ? permissions[kind] : undefined;
    if (isRecord(permissions) && Array.isArray(granted) && granted.includes(id)) {
      const others = granted.filter((each) => each !== id);
      const changed = { ...group.config, permissions: { ...permissions, [kind]: others } };
      await items.write(group.id, changed, group);
    }
  }
}

async function update(collection: Collection, id: string, change: Change): Promise<ConfigChange> {
  const found = await get(collection, id);
  const after = changed(found.config, change, found.path);
  refuseFile(
    configIssues(after, { ...collection, variables: collection.variables(), id }),
    found.path,
  );
  if (isDeepStrictEqual(found.config, after)) {
    return { before: after, after, changed: false };
  }
  await collection.items.write(id, after, found);
  return { before: found.config, after, changed: true };
}

function refuseRequest(issues: ProblemIssue[]): void {
  const [first] = issues;
  if (first) {
    const prefix = first.path === '' ? '' : `${first.path}: `;
    throw problem('invalid-request', `${prefix}${first.message}`, { issues });
  }
}
