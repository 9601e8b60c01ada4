import { join } from 'node:path';
import { adminAccessSchema, everyRight } from '@knowhow/shared/access/admin-rights';
import {
  type Group,
  groupSchema,
  groupsConfigSchema,
  withGroupNames,
} from '@knowhow/shared/access/groups';
import { promptConfigSchema } from '@knowhow/shared/chat/prompts';
import { appConfigSchema } from '@knowhow/shared/config/app-config';
import type { ContentIssue } from '@knowhow/shared/config/health';
import { listMcpServers } from '@knowhow/shared/config/mcp-config';
import { defaultPlatform, type PlatformConfig } from '@knowhow/shared/config/platform';
import { toolsFileSchema } from '@knowhow/shared/config/tools-config';
import { isRecord } from '@knowhow/shared/is-record';
import { skillSourcesFileSchema } from '@knowhow/shared/skills/skill-sources';
import {
  defaultSkillsConfig,
  type SkillsConfig,
  skillsConfigSchema,
} from '@knowhow/shared/skills/skills-config';
import { z } from 'zod';
import { knownModelSchema, knownPlatformSchema } from '../models/index.ts';
import {
  type AllowVariables,
  allowVariables,
  type ReadableVariables,
  secretNameRefusal,
} from './allowed-variables.ts';
import type { Contents } from './contents.ts';
import { findGroupCycle } from './find-group-cycle.ts';
import { listJsonFiles } from './list-json-files.ts';
import { mcpFileSchema } from './mcp-file-schema.ts';
import { readJsonFile } from './read-json-file.ts';
import { readToolsFile } from './read-tools-file.ts';
import { recoverSkillsConfig } from './recover-skills-config.ts';
import { isSecretVariable } from './secret-variable.ts';
import { skillsByDirectory } from './skills-by-directory.ts';

const fallbackGroup = 'admins';

const inheritsSchema = z.array(z.string());

const recoveredMessage =
  'This file is broken, and there is no earlier state of it. Groups that are wrong keep their administrators alone. If no administrator is left, members of "admins" have all rights.';

/**
 * Recovers groups from a broken `groups.json` if there is no last good state, so that administrators can sign in and
 * fix it. An invalid group keeps its admin permissions if they are readable, and nothing else.
 *
 * @param config the file with placeholders filled; undefined if it is not JSON
 */
function recoverGroups(config: unknown): Record<string, Group> {
  const written = isRecord(config) ? withGroupNames(config.groups) : undefined;
  const groups = Object.fromEntries(
    Object.entries(isRecord(written) ? written : {}).map(([id, group]) => [
      id,
      readGroup(id, group),
    ]),
  );
  return Object.values(groups).some(isAdminGroup)
    ? groups
    : {
        ...groups,
        [fallbackGroup]: { id: fallbackGroup, name: 'Admins', permissions: { adminAccess: true } },
      };
}

function readGroup(id: string, written: unknown): Group {
  const whole = groupSchema.safeParse(written);
  if (whole.success) {
    return whole.data;
  }
  const { inherits, permissions } = isRecord(written) ? written : {};
  const access = isRecord(permissions) ? permissions.adminAccess : undefined;
  return {
    id,
    name: id,
    inherits: inheritsSchema.safeParse(inherits).data ?? [],
    permissions: { adminAccess: adminAccessSchema.safeParse(access).data ?? false },
  };
}

function isAdminGroup({ permissions }: Group): boolean {
  const access = permissions?.adminAccess;
  return access === true || (Array.isArray(access) && access.includes(everyRight));
}

/** The configuration under `contents/`, in memory. */
export interface ContentStore {
  /** The active state. */
  readonly current: Contents;
  /** Folders to watch for changes. */
  readonly folders: string[];
  /** Sets what is done with a new state before it becomes the active one. Never rejects. */
  beforeUse(prepare: (next: Contents) => Promise<void>): void;
  /** Reads the files without making them the active state. Never throws. */
  peek(): Promise<Contents>;
  /** Reads everything again; a broken file keeps its last good state. Never throws. */
  reload(): Promise<Contents>;
}

const platformPath = 'config/platform.json';
const groupsPath = 'config/groups.json';
const skillsPath = 'config/skills.json';
const goneMessage =
  'The file is gone. What it said counts until it is back or the server is started again.';
const noVariables = allowVariables({})([]);

/** Maximum placeholders reported per file. */
const maxRefused = 20;

interface Item {
  id: string;
  order?: number | undefined;
}

/** Opens `contents/` at `directory` and reads it once. */
export async function openContentStore(
  directory: string,
  allow: AllowVariables,
): Promise<ContentStore> {
  const lastGood = new Map<string, unknown>();
  const read = () => readContents({ directory, allow, lastGood });
  let current = await read();
  let reading: Promise<unknown> = Promise.resolve();
  let prepare: (next: Contents) => Promise<void> = async () => undefined;
  return {
    get current() {
      return current;
    },
    folders: ['apps', 'models', 'prompts', 'config'].map((folder) => join(directory, folder)),
    beforeUse: (given) => {
      prepare = given;
    },
    peek: read,
    reload: () => {
      const next = reading.then(async () => {
        const state = await read();
        await prepare(state);
        current = state;
        return current;
      });
      reading = next;
      return next;
    },
  };
}

interface ReadOptions {
  directory: string;
  allow: AllowVariables;
  /** By path relative to `directory`. */
  lastGood: Map<string, unknown>;
}

interface Reader extends Pick<ReadOptions, 'directory' | 'lastGood'> {
  variables: ReadableVariables;
  faults: ContentIssue[];
  unfilled: ContentIssue[];
}

async function readContents({ directory, allow, lastGood }: ReadOptions): Promise<Contents> {
  const listed = await listedVariables(directory, lastGood);
  const variables = allow(listed);
  const faults: ContentIssue[] = [];
  const unfilled: ContentIssue[] = listed.flatMap(findSecretName);
  const reader = { directory, lastGood, variables, faults, unfilled };
  const [platform, groups, skills, skillSources, tools, mcp, apps, models, prompts] =
    await Promise.all([
      readOne(reader, platformPath, knownPlatformSchema),
      readGroups(reader),
      readSkillsConfig(reader),
      readOne(reader, 'config/skill-sources.json', skillSourcesFileSchema),
      readOne(reader, 'config/tools.json', toolsFileSchema),
      readOne({ ...reader, variables: variables.ofServers }, 'config/mcp.json', mcpFileSchema),
      readFolder(reader, 'apps', appConfigSchema),
      readFolder(reader, 'models', knownModelSchema),
      readFolder(reader, 'prompts', promptConfigSchema),
    ]);
  return {
    platform: platform ?? defaultPlatform,
    groups: new Map(Object.entries(groups)),
    skills: skillsByDirectory(skills),
    skillSources: skillSources?.sources ?? [],
    tools: readToolsFile(tools, faults),
    mcpServers: mcp === undefined ? [] : listMcpServers(mcp),
    apps,
    models,
    prompts,
    faults: faults.sort(byPath),
    unfilled: unfilled.sort(byPath),
    variables,
  };
}

/**
 * The variables that the files may read, determined before placeholders are filled; for a broken file, its last good
 * list.
 */
async function listedVariables(
  directory: string,
  lastGood: ReadOptions['lastGood'],
): Promise<readonly string[]> {
  const file = await readJsonFile(join(directory, platformPath), knownPlatformSchema, noVariables);
  if (file.state === 'good') {
    return file.value.placeholders;
  }
  // The value stored under this path comes from its schema.
  const known = lastGood.get(platformPath) as PlatformConfig | undefined;
  return file.state === 'broken' ? (known?.placeholders ?? []) : [];
}

function findSecretName(name: string, index: number): ContentIssue[] {
  const where = { path: `contents/${platformPath}`, field: `placeholders.${index}` };
  return isSecretVariable(name)
    ? [{ ...where, message: secretNameRefusal(name), isUsed: true }]
    : [];
}

async function readOne<Schema extends z.ZodType>(
  { directory, variables, lastGood, faults, unfilled }: Reader,
  path: string,
  schema: Schema,
): Promise<z.output<Schema> | undefined> {
  const file = await readJsonFile(join(directory, path), schema, variables);
  switch (file.state) {
    case 'good':
      lastGood.set(path, file.value);
      for (const [name, field] of [...file.refused].slice(0, maxRefused)) {
        const message = variables.refusal(name) ?? '';
        unfilled.push({ path: `contents/${path}`, field, message, isUsed: true });
      }
      return file.value;
    case 'missing':
      if (path !== groupsPath || !lastGood.has(path)) {
        lastGood.delete(path);
        return undefined;
      }
      // Without the groups, no administrator could fix the missing file.
      faults.push({ path: `contents/${path}`, message: goneMessage });
      break;
    case 'broken':
      faults.push({
        path: `contents/${path}`,
        ...(file.field === undefined ? {} : { field: file.field }),
        message: file.message,
      });
      break;
  }
  // The value stored under this path comes from the same schema.
  return lastGood.get(path) as z.output<Schema> | undefined;
}

/** At startup there is no last good state to replace a broken file, so the administrators are recovered. */
async function readGroups(reader: Reader): Promise<Record<string, Group>> {
  const { directory, variables, faults } = reader;
  const path = `contents/${groupsPath}`;
  const config = await readOne(reader, groupsPath, groupsConfigSchema.superRefine(rejectCycle));
  if (config || !faults.some((fault) => fault.path === path)) {
    return config?.groups ?? {};
  }
  const file = await readJsonFile(join(directory, groupsPath), z.unknown(), variables);
  faults.push({ path, message: recoveredMessage });
  return recoverGroups(file.state === 'good' ? file.value : undefined);
}

/** At startup there is no last good state to replace a broken file, so its blocks and its policy are recovered. */
async function readSkillsConfig(reader: Reader): Promise<SkillsConfig> {
  const { directory, variables, faults } = reader;
  const config = await readOne(reader, skillsPath, skillsConfigSchema);
  if (config || !faults.some(({ path }) => path === `contents/${skillsPath}`)) {
    return config ?? defaultSkillsConfig;
  }
  const file = await readJsonFile(join(directory, skillsPath), z.unknown(), variables);
  return recoverSkillsConfig(file, defaultSkillsConfig);
}

async function readFolder<Schema extends z.ZodType<Item>>(
  reader: Reader,
  folder: string,
  schema: Schema,
): Promise<Map<string, z.output<Schema>>> {
  const names = await listJsonFiles(join(reader.directory, folder));
  const items = await Promise.all(
    names.map((name) => readOne(reader, `${folder}/${name}`, schema)),
  );
  const found = new Map<string, z.output<Schema>>();
  for (const [index, item] of items.entries()) {
    if (item === undefined) {
      continue;
    }
    if (found.has(item.id)) {
      const path = `contents/${folder}/${names[index]}`;
      reader.faults.push({
        path,
        field: 'id',
        message: `Another file already has the id "${item.id}".`,
      });
      continue;
    }
    found.set(item.id, item);
  }
  return new Map([...found].sort(([, one], [, other]) => byOrder(one, other)));
}

function byPath(one: ContentIssue, other: ContentIssue): number {
  return one.path.localeCompare(other.path);
}

function byOrder(one: Item, other: Item): number {
  return (
    (one.order ?? Number.MAX_SAFE_INTEGER) - (other.order ?? Number.MAX_SAFE_INTEGER) ||
    one.id.localeCompare(other.id)
  );
}

function rejectCycle(config: z.output<typeof groupsConfigSchema>, context: z.RefinementCtx): void {
  const cycle = findGroupCycle(config.groups);
  if (cycle) {
    context.addIssue({
      code: 'custom',
      path: ['groups', cycle[0] ?? '', 'inherits'],
      message: `Groups inherit from each other in a circle: ${cycle.join(' > ')}.`,
    });
  }
}
