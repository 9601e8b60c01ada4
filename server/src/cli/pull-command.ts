import { problem } from '@knowhow/shared/problem';
import { diffContents } from '../modules/content/shared/content-file.ts';
import { openContentFolder } from '../modules/content/shared/content-folder.ts';
import { readContentState } from '../modules/content/shared/content-rows.ts';
import { syncContentFolder } from '../modules/content/shared/sync-content-folder.ts';
import { confirmChanges, type SharingOptions, withSharedDatabase } from './shared-folder.ts';
import type { Terminal } from './terminal.ts';

/** Downloads the shared contents of the database into a folder; other files remain. */
export function pullCommand(
  directory: string,
  options: SharingOptions,
  terminal: Terminal,
): Promise<number> {
  return withSharedDatabase(terminal.installation(), async (database) => {
    const state = await readContentState(database);
    if (!state) {
      throw problem(
        'not-found',
        'The database holds no configuration and no skills: they are in the folder of its server. Put them there with: knowhow push DIR.',
      );
    }
    const folder = openContentFolder(directory);
    const { files: from } = await folder.scan();
    const changes = diffContents(from, state.files);
    if (await confirmChanges(changes, { ...options, word: 'pull' }, terminal)) {
      await syncContentFolder(state.files, { from, folder, database });
      terminal.out(`Pulled: generation ${state.generation}.`);
    }
    return 0;
  });
}
