import type { PackedFile } from '@knowhow/skill-format';
import { getFilesChecksum } from '../../../platform/lib/files-checksum.ts';
import type { Log } from '../../../platform/lib/log.ts';
import type { Database } from '../../../platform/storage/open-database.ts';
import type { SkillWriter } from '../store/skill-writer.ts';
import type { FolderEdits } from './folder-edits.ts';
import { nameOf, type PublishedSource } from './published-source.ts';

interface Options {
  writer: SkillWriter;
  database: Database;
  /** Undefined while the folders are not reviewed. */
  reviewed: () => { source: PublishedSource; edits: FolderEdits } | undefined;
  log: Log;
}

export interface ReviewedWriter extends SkillWriter {
  /** Call it at startup: undoes writes that a crash has interrupted before they were published. */
  undoInterrupted(): Promise<void>;
}

/**
 * While the folders are reviewed, a write of the server counts once its version is recorded. Until then, it is noted in the
 * database: if no version follows, the folder gets its published files back. What a folder held before is kept.
 */
export function createReviewedWriter({ writer, database, reviewed, log }: Options): ReviewedWriter {
  // Writes are exclusive: what runs meanwhile belongs to them.
  let running: Map<string, string | null> | undefined;

  const exclusive: SkillWriter['exclusive'] = (run) =>
    writer.exclusive(async () => {
      if (running || !reviewed()) {
        return run();
      }
      const writes = new Map<string, string | null>();
      running = writes;
      try {
        return await run();
      } finally {
        running = undefined;
        await undoUnpublished([...writes].map(([folder, checksum]) => ({ folder, checksum })));
      }
    });

  async function undoUnpublished(
    writes: readonly { folder: string; checksum: string | null }[],
  ): Promise<void> {
    const { source, edits } = reviewed() ?? {};
    for (const { folder, checksum } of source && edits ? writes : []) {
      const name = nameOf(folder);
      try {
        await source?.refresh(name);
        if ((source?.find(name)?.checksum ?? null) !== checksum) {
          await edits?.undo(name, folder, checksum);
        }
        await database.deleteFrom('skill_folder_writes').where('folder', '=', folder).execute();
      } catch (error) {
        // The next start tries again.
        log.error({ error, skill: name }, 'a write that was not published could not be undone');
      }
    }
  }

  /** Notes a write, and keeps what it overwrites. */
  async function begin(folder: string, files: readonly PackedFile[] | undefined): Promise<void> {
    const { edits } = reviewed() ?? {};
    if (!edits || !running) {
      return;
    }
    if (!running.has(folder)) {
      await edits.keep(nameOf(folder), folder);
    }
    const checksum = files ? await getFilesChecksum(files) : null;
    running.set(folder, checksum);
    await database
      .insertInto('skill_folder_writes')
      .values({ folder, checksum })
      .onConflict((conflict) => conflict.column('folder').doUpdateSet({ checksum }))
      .execute();
  }

  const install: SkillWriter['install'] = (folder, files) =>
    exclusive(async () => {
      await begin(folder, files);
      await writer.install(folder, files);
    });

  const installAll: SkillWriter['installAll'] = (folders, onInstalled) =>
    exclusive(async () => {
      for (const { folder, files } of folders) {
        await begin(folder, files);
      }
      await writer.installAll(folders, onInstalled);
    });

  return {
    exclusive,
    recover: writer.recover,
    install,
    installAll,
    remove: (folder) =>
      exclusive(async () => {
        await begin(folder, undefined);
        const there = await reviewed()
          ?.source.folder.files(folder, 1)
          .catch(() => undefined);
        // Someone may have removed a reviewed folder already.
        if (there || !reviewed()) {
          await writer.remove(folder);
        }
      }),
    writeFile: (...given) => (reviewed() ? refusePart() : writer.writeFile(...given)),
    removeFile: (...given) => (reviewed() ? refusePart() : writer.removeFile(...given)),
    moveFile: (...given) => (reviewed() ? refusePart() : writer.moveFile(...given)),
    get isWhole() {
      return reviewed() !== undefined;
    },
    undoInterrupted: async () => {
      const rows = await database.selectFrom('skill_folder_writes').selectAll().execute();
      if (rows.length > 0) {
        await writer.exclusive(() => undoUnpublished(rows));
      }
    },
  };
}

/** The folder may hold an edit, which a single file must not join. */
function refusePart(): Promise<never> {
  return Promise.reject(new Error('While folders are reviewed, they are written as a whole.'));
}
