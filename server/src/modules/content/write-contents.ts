import { isDeepStrictEqual } from 'node:util';
import { type Group, groupSchema } from '@knowhow/shared/access/groups';
import { promptConfigSchema } from '@knowhow/shared/chat/prompts';
import type { ConfigItem, ConfigKind } from '@knowhow/shared/config/admin-config';
import { appConfigSchema } from '@knowhow/shared/config/app-config';
import { isRecord } from '@knowhow/shared/is-record';
import { type ProblemIssue, problem } from '@knowhow/shared/problem';
import type { z } from 'zod';
import { checkUnchanged } from '../../platform/lib/check-unchanged.ts';
import { knownModelSchema } from '../models/index.ts';
import type { AllowedVariables } from './allowed-variables.ts';
import { type CommitFolders, commitFiles, rollBackCommit } from './commit-files.ts';
import {
  type Change,
  type ConfigChange,
  type ConfigFile,
  changed,
  platformFile,
  refuseFile,
  replaceConfigFile,
  skillSourcesFile,
  skillsFile,
  sourcesLockPath,
  toolsFile,
  updateConfigFile,
} from './config-file.ts';
import { configIssues } from './config-issues.ts';
import { computeChecksum, configItem } from './config-item.ts';
import type { ContentStore } from './content-store.ts';
import { fillPlaceholders } from './fill-placeholders.ts';
import { groupsFile } from './groups-file.ts';
import { itemFiles } from './item-files.ts';
import type { RawConfig } from './raw-config.ts';
import type { RawItem, RawItems } from './raw-items.ts';
import { type RawFile, type StagedFiles, stageFiles } from './staged-files.ts';

/**
 * Reads and writes the configuration files for administrators, preserving placeholders and unknown fields. Writes are
 * serialised; once a write resolves, it is active.
 */
export interface ContentWriter {
  list(kind: ConfigKind): Promise<ConfigItem[]>;
  get(kind: ConfigKind, id: string): Promise<ConfigItem>;
  /** Creates or replaces an item and returns it as stored. */
  put(kind: ConfigKind, id: string, write: ConfigWrite): Promise<ConfigPut>;
  remove(kind: ConfigKind, id: string, removal?: ConfigRemoval): Promise<ConfigChange>;
  /** A single configuration file as stored; undefined if it is missing. */
  readFile(path: string): Promise<RawFile | undefined>;
  /** Activates changes made on disk. */
  reload(): Promise<void>;
  /** Runs several changes in a transaction. They are written and active once it resolves. */
  transaction<Result>(run: (transaction: ContentTransaction) => Promise<Result>): Promise<Result>;
}

/** The changes of a transaction; each sees the earlier ones. */
export interface ContentTransaction {
  updateApp(id: string, change: Change): Promise<ConfigChange>;
  updateGroup(id: string, change: Change): Promise<ConfigChange>;
  /** Changes `config/platform.json`, which is created if missing. */
  updatePlatformConfig(change: Change): Promise<ConfigChange>;
  /** Likewise for `config/skills.json`. */
  updateSkillsConfig(change: Change): Promise<ConfigChange>;
  /** Likewise for `config/skill-sources.json`. */
  updateSkillSources(change: Change): Promise<ConfigChange>;
  /** Replaces `config/skill-sources-lock.json`. */
  updateSourcesLock(change: Change): Promise<void>;
  /** Likewise for `config/tools.json`. */
  updateToolsConfig(change: Change): Promise<ConfigChange>;
}

interface ConfigWrite {
  config: RawConfig;
  /** Checksum of the state that the writer has seen. */
  expected?: string | undefined;
  /** Throws if this change is not allowed. */
  check?: (after: RawConfig) => void;
}

interface ConfigRemoval {
  expected?: string | undefined;
  /** Throws if the deletion is not allowed. */
  check?: () => Promise<void>;
}

interface ConfigPut extends ConfigChange {
  item: ConfigItem;
}

interface Options extends CommitFolders {
  content: ContentStore;
  /** Serialises writes here with everything else that must not run concurrently. */
  withLock: <Result>(run: () => Promise<Result>) => Promise<Result>;
  /** Wraps work that writes files; runs around the lock. */
  writeFiles?: <Result>(run: () => Promise<Result>) => Promise<Result>;
  /** Throws if this may not become the new set of groups. */
  checkGroups: (groups: ReadonlyMap<string, Group>) => Promise<void>;
}

/** How items of a kind are stored and validated. */
interface Collection {
  noun: string;
  schema: z.ZodType;
  items: RawItems;
  variables: () => AllowedVariables;
}

export function createContentWriter(options: Options): ContentWriter {
  const { content, directory, withLock, writeFiles = (run) => run() } = options;
  const openNow = () => openCollections(options, stageFiles(directory));
  const read = async (kind: ConfigKind, id: string) =>
    configItem(kind, await get(openNow()[kind], id), content.current.faults);
  const write = <Result>(run: (files: StagedFiles, collections: Collections) => Promise<Result>) =>
    writeFiles(() =>
      withLock(async () => {
        // Completes a rollback that failed earlier, e.g. because of a disk error.
        await rollBackCommit(options);
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
      const items = await openNow()[kind].items.list();
      return items
        .sort((one, other) => one.id.localeCompare(other.id))
        .map((item) => configItem(kind, item, content.current.faults));
    },
    get: read,
    put: async (kind, id, requested) => {
      const change = await write((_, collections) => put(collections[kind], id, requested));
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
        await rollBackCommit(options);
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
          updateSkillSources: (change) => updateFile(skillSourcesFile, change),
          updateSourcesLock: (change) => replaceConfigFile(sourcesLockPath, files, change),
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
    apps: { noun: 'app', schema: appConfigSchema, items: inFolder('apps'), variables },
    groups: {
      noun: 'group',
      schema: groupSchema,
      items: groupsFile({ ...options, files, variables }),
      variables,
    },
    models: { noun: 'model', schema: knownModelSchema, items: inFolder('models'), variables },
    prompts: { noun: 'prompt', schema: promptConfigSchema, items: inFolder('prompts'), variables },
  };
}

async function find({ items }: Collection, id: string): Promise<RawItem | undefined> {
  return (await items.list()).find((item) => item.id === id);
}

async function get(collection: Collection, id: string): Promise<RawItem> {
  const found = await find(collection, id);
  if (!found) {
    throw problem('not-found', `There is no ${collection.noun} "${id}".`);
  }
  return found;
}

async function put(
  collection: Collection,
  id: string,
  requested: ConfigWrite,
): Promise<ConfigChange> {
  const found = await find(collection, id);
  checkUnchanged(requested.expected, found && computeChecksum(found));
  const after = Object.hasOwn(requested.config, 'id')
    ? requested.config
    : { id, ...requested.config };
  assertValid(configIssues(after, { ...collection, variables: collection.variables(), id }));
  if (found && isDeepStrictEqual(found.config, after)) {
    return { before: after, after, changed: false };
  }
  requested.check?.(fillPlaceholders(after, collection.variables()) as RawConfig);
  await collection.items.write(id, after, found);
  return { before: found && (found.config ?? found.text), after, changed: true };
}

async function remove(
  collection: Collection,
  id: string,
  { expected, check }: ConfigRemoval,
): Promise<ConfigChange> {
  const found = await get(collection, id);
  checkUnchanged(expected, computeChecksum(found));
  await check?.();
  await collection.items.remove(found);
  return { before: found.config ?? found.text, after: undefined, changed: true };
}

/** Removes an item's ID from all groups, so that a new item with the same ID is not granted implicitly. */
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

function assertValid(issues: ProblemIssue[]): void {
  const [first] = issues;
  if (first) {
    const prefix = first.path === '' ? '' : `${first.path}: `;
    throw problem('invalid-request', `${prefix}${first.message}`, { issues });
  }
}
