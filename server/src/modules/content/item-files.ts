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

/** Items stored in one file each. The file name may differ from the ID; a new file is named after its ID. */
export function itemFiles({ files, folder, variables }: Options): RawItems {
  return {
    list: async () => {
      const paths = (await files.names(folder)).map((name) => `${folder}/${name}`);
      const items = await Promise.all(paths.map((path) => readItem(files, path, variables())));
      return items.filter((item) => item !== undefined);
    },
    write: async (id, config, found) => {
      const path =
        found?.path ?? `${folder}/${uniqueName(`${id}.json`, await files.names(folder))}`;
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

/** Case-insensitive, because some file systems are. */
function uniqueName(name: string, taken: string[]): string {
  const other = taken.find((one) => one.toLowerCase() === name.toLowerCase());
  if (other !== undefined) {
    throw problem('conflict', `Another item has the file ${other}. Choose another id.`);
  }
  return name;
}
