import { itemIdSchema } from '@knowhow/shared/config/item-id';
import { problem } from '@knowhow/shared/problem';
import type { AllowedVariables } from './allowed-variables.ts';
import { fillPlaceholders } from './fill-placeholders.ts';
import type { RawItem, RawItems } from './raw-items.ts';
import type { StagedFiles } from './staged-files.ts';

interface Options {
  files: StagedFiles;
  folder: 'apps' | 'models' | 'prompts';
  variables: () => AllowedVariables;
}

/** Items with a file each. Its name may be another than the id; a new one is named after its id. */
export function itemFiles({ files, folder, variables }: Options): RawItems {
  return {
    list: async () => {
      const paths = (await files.names(folder)).map((name) => `${folder}/${name}`);
      const items = await Promise.all(paths.map((path) => readItem(files, path, variables())));
      return items.filter((item) => item !== undefined);
    },
    write: async (id, config, found) => {
      const path = found?.path ?? `${folder}/${freeName(`${id}.json`, await files.names(folder))}`;
      files.write(path, { before: found?.text, config });
    },
    remove: async ({ path }) => files.remove(path),
  };
}

async function readItem(
  files: StagedFiles,
  path: string,
  variables: AllowedVariables,
): Promise<RawItem | undefined> {
  const file = await files.read(path);
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
