import { problem } from '@knowhow/shared/problem';
import type { Database } from '../../../platform/storage/open-database.ts';
import { type ContentChange, type ContentFiles, diffContents } from './content-file.ts';
import type { ContentFolder } from './content-folder.ts';
import { readBlob } from './content-rows.ts';

interface Where {
  /** Present files of the folder. */
  from: ContentFiles;
  folder: ContentFolder;
  database: Database;
}

/** Synchronises a folder with the given files, reading content from the database. Returns the changes made. */
export async function syncContentFolder(
  files: ContentFiles,
  { from, folder, database }: Where,
): Promise<ContentChange[]> {
  const changes = diffContents(from, files);
  // Writes come before deletions, so that replacements exist before old files are removed.
  for (const change of changes.filter(({ after }) => after)) {
    const bytes = change.after && (await readBlob(database, change.after.sha256));
    if (!bytes) {
      throw problem('changed-meanwhile', `${change.path} has just been changed. Try again.`);
    }
    await folder.apply(change, bytes);
  }
  for (const change of changes.filter(({ after }) => !after)) {
    await folder.apply(change, undefined);
  }
  return changes;
}
