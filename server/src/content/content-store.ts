import { join } from 'node:path';
import { appConfigSchema } from '@knowhow/shared/apps';
import { groupsConfigSchema } from '@knowhow/shared/groups';
import type { ContentFault } from '@knowhow/shared/health';
import { modelConfigSchema } from '@knowhow/shared/models';
import { platformConfigSchema } from '@knowhow/shared/platform';
import { promptConfigSchema } from '@knowhow/shared/prompts';
import { skillsConfigSchema } from '@knowhow/shared/skills-config';
import type { z } from 'zod';
import type { Contents } from './contents.ts';
import { findGroupCycle } from './find-group-cycle.ts';
import { jsonFilesIn } from './json-files-in.ts';
import { readJsonFile } from './read-json-file.ts';

/** The configuration under `contents/`, in memory. */
export interface ContentStore {
  /** The state in force. */
  readonly current: Contents;
  /** The folders to watch for changes. */
  readonly folders: string[];
  /** Reads everything again; what is broken keeps its last good state. Never throws. */
  reload(): Promise<Contents>;
}

interface Item {
  id: string;
  order?: number | undefined;
}

/** Opens `contents/` at `directory` and reads it once. */
export async function openContentStore(
  directory: string,
  variables: Record<string, string | undefined>,
): Promise<ContentStore> {
  const lastGood = new Map<string, unknown>();
  const read = () => readContents({ directory, variables, lastGood });
  let current = await read();
  let reading: Promise<unknown> = Promise.resolve();
  return {
    get current() {
      return current;
    },
    folders: ['apps', 'models', 'prompts', 'config'].map((folder) => join(directory, folder)),
    reload: () => {
      const next = reading.then(async () => {
        current = await read();
        return current;
      });
      reading = next;
      return next;
    },
  };
}

interface Reader {
  directory: string;
  variables: Record<string, string | undefined>;
  /** By path relative to `directory`. */
  lastGood: Map<string, unknown>;
}

async function readContents(reader: Reader): Promise<Contents> {
  const faults: ContentFault[] = [];
  const [platform, groups, skills, apps, models, prompts] = await Promise.all([
    readOne(reader, 'config/platform.json', platformConfigSchema, faults),
    readOne(reader, 'config/groups.json', groupsConfigSchema.superRefine(refuseCycle), faults),
    readOne(reader, 'config/skills.json', skillsConfigSchema, faults),
    readFolder(reader, 'apps', appConfigSchema, faults),
    readFolder(reader, 'models', modelConfigSchema, faults),
    readFolder(reader, 'prompts', promptConfigSchema, faults),
  ]);
  return {
    platform: platform ?? {},
    groups: new Map(Object.entries(groups?.groups ?? {})),
    skills: skills ?? {},
    apps,
    models,
    prompts,
    faults: faults.sort((one, other) => one.path.localeCompare(other.path)),
  };
}

async function readOne<Schema extends z.ZodType>(
  { directory, variables, lastGood }: Reader,
  path: string,
  schema: Schema,
  faults: ContentFault[],
): Promise<z.output<Schema> | undefined> {
  const file = await readJsonFile(join(directory, path), schema, variables);
  switch (file.state) {
    case 'good':
      lastGood.set(path, file.value);
      return file.value;
    case 'missing':
      lastGood.delete(path);
      return undefined;
    case 'broken':
      faults.push({
        path: `contents/${path}`,
        ...(file.field === undefined ? {} : { field: file.field }),
        message: file.message,
      });
      // What was stored under this path came from the same schema.
      return lastGood.get(path) as z.output<Schema> | undefined;
  }
}

async function readFolder<Schema extends z.ZodType<Item>>(
  reader: Reader,
  folder: string,
  schema: Schema,
  faults: ContentFault[],
): Promise<Map<string, z.output<Schema>>> {
  const names = await jsonFilesIn(join(reader.directory, folder));
  const items = await Promise.all(
    names.map((name) => readOne(reader, `${folder}/${name}`, schema, faults)),
  );
  const found = new Map<string, z.output<Schema>>();
  for (const [index, item] of items.entries()) {
    if (item === undefined) {
      continue;
    }
    if (found.has(item.id)) {
      const path = `contents/${folder}/${names[index]}`;
      faults.push({ path, field: 'id', message: `Another file already has the id "${item.id}".` });
      continue;
    }
    found.set(item.id, item);
  }
  return new Map([...found].sort(([, one], [, other]) => byOrder(one, other)));
}

function byOrder(one: Item, other: Item): number {
  return (
    (one.order ?? Number.MAX_SAFE_INTEGER) - (other.order ?? Number.MAX_SAFE_INTEGER) ||
    one.id.localeCompare(other.id)
  );
}

function refuseCycle(config: z.output<typeof groupsConfigSchema>, context: z.RefinementCtx): void {
  const cycle = findGroupCycle(config.groups);
  if (cycle) {
    context.addIssue({
      code: 'custom',
      path: ['groups', cycle[0] ?? '', 'inherits'],
      message: `Groups inherit from each other in a circle: ${cycle.join(' > ')}.`,
    });
  }
}
