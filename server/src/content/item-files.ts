import { join } from 'node:path';
import { itemIdSchema } from '@knowhow/shared/apps';
import { problem } from '@knowhow/shared/problem';
import type { AllowedVariables } from './allowed-variables.ts';
import { fillPlaceholders } from './fill-placeholders.ts';
import { jsonFilesIn } from './json-files-in.ts';
import { readRawFile, removeRawFile, writeRawFile } from './raw-file.ts';
import type { RawItem, RawItems } from './raw-items.ts';

interface Options {
  /** `contents/` */
  directory: string;
  folder: 'apps' | 'models' | 'prompts';
  variables: () => AllowedVariables;
}

/** Items with a file each. Its name may be another than the id; a new one is named after its id. */
export function itemFiles({ directory, folder, variables }: Options): RawItems {
  const names = () => jsonFilesIn(join(directory, folder));
  return {
    list: async () => {
      const paths = (await names()).map((name) => `${folder}/${name}`);
      const items = await Promise.all(paths.map((path) => readItem(directory, path, variables())));
      return items.filter((item) => item !== undefined);
    },
    write: async (id, config, found) => {
      const path = found?.path ?? `${folder}/${freeName(`${id}.json`, await names())}`;
      await writeRawFile(directory, path, { before: found?.text, config });
    },
    remove: ({ path }) => removeRawFile(directory, path),
  };
}

async function readItem(
  directory: string,
  path: string,
  variables: AllowedVariables,
): Promise<RawItem | undefined> {
  const file = await readRawFile(directory, path);
  if (!file) {
    return undefined;
  }
  const id = itemIdSchema.safeParse(fillPlaceholders(file.config?.id, variables));
  const name = path.slice(path.indexOf('/') + 1, -'.json'.length);
  return { id: id.success ? id.data : name, path, ...file };
}

/** Some file systems take two names that differ in case for one. */
function freeName(name: string, taken: string[]): string {
  const other = taken.find((one) => one.toLowerCase() === name.toLowerCase());
  if (other !== undefined) {
    throw problem('conflict', `Another item has the file ${other}. Choose another id.`);
  }
  return name;
}
