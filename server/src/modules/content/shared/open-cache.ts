import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { problem } from '@knowhow/shared/problem';
import { stagingFolder } from '@knowhow/shared/skills/clutter-names';
import { listSome } from '../../../platform/lib/list-some.ts';
import { writeFileAtomic } from '../../../platform/lib/write-file-atomic.ts';
import type { Database } from '../../../platform/storage/open-database.ts';
import { diffContents } from './content-file.ts';
import type { ContentFolder } from './content-folder.ts';
import { type ContentState, readContentState } from './content-rows.ts';
import { syncContentFolder } from './sync-content-folder.ts';

/** Marker file of a folder that is a cache; manual changes in it are reverted. */
export const cacheMark = '.knowhow-cache';

const markText =
  'Knowhow keeps a copy of its database here. What is changed by hand is put back.\n';
const maxShownPaths = 5;

interface Cache {
  directory: string;
  folder: ContentFolder;
  database: Database;
}

/**
 * Makes a folder a copy of the database's contents and returns these. Throws `conflict` if the folder is not a cache
 * and contains files that the database lacks.
 */
export async function openCache({ directory, folder, database }: Cache): Promise<ContentState> {
  const state = await loadContents(database);
  const mark = join(directory, cacheMark);
  const { files: from } = await folder.scan();
  if (!existsSync(mark)) {
    const own = diffContents(state.files, from).filter(({ after }) => after);
    if (own.length > 0) {
      throw problem(
        'conflict',
        refusal(
          directory,
          own.map(({ path }) => path),
        ),
      );
    }
    await writeFileAtomic(mark, markText);
  }
  // Removes partial writes after a crash, which the database does not have.
  await rm(join(directory, 'skills', stagingFolder), { recursive: true, force: true });
  await folder.tidyUp();
  await syncContentFolder(state.files, { from, folder, database });
  return state;
}

export async function loadContents(database: Database): Promise<ContentState> {
  const state = await readContentState(database);
  if (!state) {
    throw problem('not-ready', 'The database no longer has any contents. Restart the server.');
  }
  return state;
}

function refusal(directory: string, paths: readonly string[]): string {
  return `CONTENTS_DIR is wrong: the configuration and the skills are in the database, and ${directory} contains others: ${listSome(paths, maxShownPaths)}. Name an empty folder, or upload them with: knowhow push ${directory}`;
}
