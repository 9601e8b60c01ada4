import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { Problem, problem } from '@knowhow/shared/problem';
import type { PackedFile } from '@knowhow/skill-format';
import { checkUnchanged, nothingYet } from '../../../platform/lib/check-unchanged.ts';
import { ignore } from '../../../platform/lib/ignore.ts';
import type { Log } from '../../../platform/lib/log.ts';
import { folderAuthor, isOfFolder, isOfFolderOnly } from '../drafts/authors.ts';
import type { SkillDrafts, StoredDraft } from '../drafts/skill-drafts.ts';
import type { SkillReviews } from '../drafts/skill-reviews.ts';
import { readContentIfAny } from '../store/skill-content.ts';
import type { SkillWriter } from '../store/skill-writer.ts';
import type { EditStore, FolderEdit } from './edit-store.ts';
import { createFolderLook, isFolderMissing } from './look-at-folder.ts';
import type { PublishedSource } from './published-source.ts';

/** Finds edits in the folder of local skills, keeps them, and makes drafts of them. */
export interface FolderEdits {
  /** The edits as they were last read, by name. */
  readonly current: ReadonlyMap<string, FolderEdit>;
  /** Folders that cannot be kept, by name of the skill, with the reason. */
  readonly refused: ReadonlyMap<string, string>;
  /** Compares all folders with what is published. Later calls read only what has changed. */
  findAll(): Promise<void>;
  /**
   * Keeps what a folder holds, because it will be overwritten. Call it while no other write runs. Throws `conflict` if it
   * cannot be kept.
   *
   * @param path of the folder
   */
  keep(name: string, path: string): Promise<void>;
  /**
   * Writes the published files to a folder, or removes it if there are none; only if it holds these files.
   *
   * @param checksum of the files; null for none
   */
  undo(name: string, path: string, checksum: string | null): Promise<void>;
  /** Keeps all edits, and restores their folders. */
  restoreAll(): Promise<void>;
  /**
   * Discards an edit and, unless someone has changed it, its draft. Throws `not-found`, `changed-meanwhile`, and
   * `conflict` while its draft is in review.
   */
  discard(name: string, expected: string | undefined): Promise<FolderEdit>;
  /** Makes drafts of edits that waited for another draft. */
  offerWaiting(): Promise<void>;
  /** Reads the edits of other nodes. */
  reread(): Promise<void>;
}

interface Options {
  /** Whether the folders are reviewed now. Afterwards, edits can still wait for another draft. */
  isOn: () => boolean;
  /** Throws while the folders are not reviewed. */
  source: () => PublishedSource;
  store: EditStore;
  drafts: SkillDrafts;
  reviews: Pick<SkillReviews, 'findOpen'>;
  /** Writes folders without any of this. */
  writer: SkillWriter;
  /** Why a new skill may not have a name. */
  findNameIssue: (name: string) => string | undefined;
  /** Number of the newest version of a skill that is deleted; undefined for none. */
  findNewest: (name: string) => Promise<number | undefined>;
  log: Log;
  onChange: () => void;
}

export function createFolderEdits(options: Options): FolderEdits {
  return new EditFinder(options);
}

/** Number of folders between pauses, in which other requests are answered. */
const batchSize = 20;

class EditFinder implements FolderEdits {
  current: ReadonlyMap<string, FolderEdit> = new Map();
  readonly refused = new Map<string, string>();
  readonly #look = createFolderLook();
  readonly #options: Options;

  constructor(options: Options) {
    this.#options = options;
  }

  async findAll(): Promise<void> {
    const source = this.#options.source();
    if (await isFolderMissing(source)) {
      // A disk may not be mounted: nothing in it was removed.
      await this.reread();
      return;
    }
    const kept = [...this.current.keys(), ...this.refused.keys()];
    const names = new Set([...source.names(), ...source.folderNames(), ...kept]);
    for (const [index, name] of [...names].entries()) {
      if (index % batchSize === batchSize - 1) {
        await yieldToEventLoop();
      }
      try {
        if (!(await this.#isKnown(name))) {
          await this.#options.writer.exclusive(() => this.#compare(name, source.pathOf(name)));
        }
        this.#accept(name);
      } catch (error) {
        this.#refuse(name, error);
      }
    }
    await this.reread();
  }

  async keep(name: string, path: string): Promise<void> {
    const unkept = await this.#tryCompare(name, path);
    if (unkept) {
      throw unkept;
    }
    const edit = await this.#options.store.get(name);
    if (edit && !edit.isOverwritten) {
      await this.#options.store.mark(name, { isOverwritten: true });
    }
    await this.reread();
  }

  async undo(name: string, path: string, checksum: string | null): Promise<void> {
    const now = await this.#look({ source: this.#options.source().folder, path });
    if ((now ?? null) === checksum) {
      await this.#restore(name, path);
    }
  }

  async #restore(name: string, path: string): Promise<void> {
    const { source, store, writer } = this.#options;
    const published = source().find(name);
    const files = published && (await store.read(published.manifest));
    if (files) {
      await writer.install(path, files);
    } else if (!published) {
      await writer.remove(path).catch(ignoreGone);
    }
  }

  restoreAll(): Promise<void> {
    const { source, store, writer } = this.#options;
    return writer.exclusive(async () => {
      await this.findAll();
      this.#checkKept();
      for (const { name, isOverwritten } of await store.list()) {
        if (!isOverwritten) {
          await this.keep(name, source().pathOf(name));
          await this.#restore(name, source().pathOf(name));
        }
      }
      await this.offerWaiting();
    });
  }

  #checkKept(): void {
    const [first, ...others] = this.refused.keys();
    if (first !== undefined) {
      const more = others.length > 0 ? ` and ${others.length} more` : '';
      throw problem(
        'conflict',
        `The folder of skill "${first}"${more} holds changes that cannot become a draft: ${this.refused.get(first)} Move it away first.`,
      );
    }
  }

  discard(name: string, expected: string | undefined): Promise<FolderEdit> {
    const { drafts, isOn, reviews, source, store, writer } = this.#options;
    return writer.exclusive(async () => {
      const unkept = isOn() ? await this.#tryCompare(name, source().pathOf(name)) : undefined;
      const edit = await store.get(name);
      // One that was overwritten can go, whatever the folder holds now.
      if (unkept && !edit?.isOverwritten) {
        throw unkept;
      }
      if (!edit) {
        await this.reread();
        throw problem('not-found', `The folder of skill "${name}" holds what is published.`);
      }
      checkUnchanged(expected, edit.checksum);
      const draft = await drafts.get(name);
      if (draft && isOwnDraft(draft, edit)) {
        if (await reviews.findOpen(name)) {
          throw problem(
            'conflict',
            `The draft of skill "${name}" is in review. Withdraw the review first.`,
          );
        }
        await drafts.discard(name, draft.etag);
      }
      if (isOn() && !edit.isOverwritten) {
        await this.#restore(name, source().pathOf(name));
      }
      await store.remove(name);
      if (unkept) {
        // It made way for the next edit.
        await this.#tryCompare(name, source().pathOf(name));
      }
      await this.reread();
      return edit;
    });
  }

  async offerWaiting(): Promise<void> {
    const { drafts, store, writer } = this.#options;
    for (const { name } of (await store.list()).filter(({ isOverwritten }) => isOverwritten)) {
      await writer.exclusive(async () => {
        const edit = await store.get(name);
        if (edit?.isOverwritten && !(await drafts.get(name))) {
          await this.#finish(edit);
        }
      });
    }
    await this.reread();
  }

  async reread(): Promise<void> {
    const edits = await this.#options.store.list();
    const marks = (all: Iterable<FolderEdit>) =>
      JSON.stringify([...all].map(({ manifest: _, ...edit }) => edit));
    const isSame = marks(edits) === marks(this.current.values());
    this.current = new Map(edits.map((edit) => [edit.name, edit]));
    const isStale = !this.#options.isOn() && this.refused.size > 0;
    if (isStale) {
      this.refused.clear();
    }
    if (!isSame || isStale) {
      this.#options.onChange();
    }
  }

  /** Whether nothing has changed since the last comparison. Reads no contents, and takes no lock. */
  async #isKnown(name: string): Promise<boolean> {
    const source = this.#options.source();
    const now = await this.#look({ source: source.folder, path: source.pathOf(name) });
    const published = source.find(name)?.checksum;
    const edit = this.current.get(name);
    if (!edit) {
      return now === published;
    }
    const isDone = edit.isDrafted || !edit.manifest;
    const isHeld = edit.isOverwritten ? now === published && !isDone : now === edit.checksum;
    return isHeld && (isDone || (await this.#options.drafts.get(name)) !== undefined);
  }

  /** Returns the problem if the folder cannot be kept. */
  async #tryCompare(name: string, path: string): Promise<Problem | undefined> {
    try {
      await this.#compare(name, path);
      this.#accept(name);
      return undefined;
    } catch (error) {
      this.#refuse(name, error);
      return problem(
        'conflict',
        `The folder of skill "${name}" holds changes that are not published, and they cannot be kept: ${this.refused.get(name)} Move the folder away first.`,
        { cause: error },
      );
    }
  }

  /** Compares a folder with what is published now, and keeps what differs. */
  async #compare(name: string, path: string): Promise<void> {
    const { source, store } = this.#options;
    await source().refresh(name);
    const published = source().find(name);
    const location = { source: source().folder, path };
    const now = await this.#look(location);
    const edit = await store.get(name);
    if (now === published?.checksum) {
      if (edit) {
        await this.#settle(edit);
      }
      return;
    }
    if (now === undefined && (await isFolderMissing(source()))) {
      return;
    }
    if (edit?.checksum === now && edit !== undefined) {
      await store.mark(name, { isOverwritten: false });
      await this.#offer(edit, undefined);
      return;
    }
    const issue = published ? undefined : this.#options.findNameIssue(name);
    if (issue !== undefined) {
      throw problem('invalid-request', issue);
    }
    const files = now === undefined ? undefined : await readContentIfAny(location);
    const before = edit && !edit.isOverwritten ? edit : undefined;
    if (edit && !before && !edit.isDrafted && edit.manifest) {
      throw problem(
        'conflict',
        'An earlier change of the folder waits for the draft. Publish or discard the draft first.',
      );
    }
    const { base } = before ?? {
      base: published?.number ?? (await this.#options.findNewest(name)),
    };
    await this.#offer(await store.save(name, { files, base }), before);
  }

  /** An edit whose folder holds what is published again. */
  async #settle(edit: FolderEdit): Promise<void> {
    const { drafts, reviews, source, store } = this.#options;
    const { name } = edit;
    if (edit.isOverwritten || !source().find(name)) {
      await this.#finish(edit);
      return;
    }
    // Someone has reverted it.
    const draft = await drafts.get(name);
    if (draft && isOwnDraft(draft, edit) && !(await reviews.findOpen(name))) {
      await drafts.discard(name, draft.etag).catch(ignore);
    }
    await store.remove(name);
  }

  /** The folder no longer holds the edit: it remains until a draft contains it. */
  async #finish(edit: FolderEdit): Promise<void> {
    if (edit.isDrafted || !edit.manifest || (await this.#offer(edit, undefined))) {
      await this.#options.store.remove(edit.name);
    }
  }

  /**
   * Saves an edit as the draft of the skill, unless that has other changes. Returns whether the draft contains it.
   *
   * @param before the edit that the folder held until now
   */
  async #offer(edit: FolderEdit, before: FolderEdit | undefined): Promise<boolean> {
    const { drafts, store } = this.#options;
    const { name } = edit;
    const draft = await drafts.get(name);
    if (edit.isDrafted) {
      if (draft && isOfFolder(draft.authors)) {
        return true;
      }
      // Someone has discarded it, but the folder is about to lose the edit, or has changed.
      await store.mark(name, { isDrafted: false });
    }
    const files = await store.files(edit);
    if (!files) {
      return false;
    }
    const mayReplace = draft === undefined || (before !== undefined && isOwnDraft(draft, before));
    if (draft?.checksum !== edit.checksum) {
      if (!mayReplace || !(await this.#saveDraft(edit, { files, draft }))) {
        return false;
      }
    }
    await store.mark(name, { isDrafted: true });
    return true;
  }

  /** Returns false if someone has changed the draft just now. */
  async #saveDraft(
    { name, base }: FolderEdit,
    { files, draft }: { files: readonly PackedFile[]; draft: StoredDraft | undefined },
  ): Promise<boolean> {
    const expected = draft?.etag ?? nothingYet;
    try {
      const saving = { files, by: folderAuthor, expected, published: undefined, base };
      await this.#options.drafts.save(name, saving);
      return true;
    } catch (error) {
      if (error instanceof Problem) {
        return false;
      }
      throw error;
    }
  }

  #accept(name: string): void {
    if (this.refused.delete(name)) {
      this.#options.onChange();
    }
  }

  #refuse(name: string, error: unknown): void {
    const reason =
      error instanceof Problem ? error.message : 'The files cannot be read or stored. See the log.';
    if (this.refused.get(name) !== reason) {
      this.refused.set(name, reason);
      this.#options.log.warn({ error, skill: name }, 'an edit in the file system cannot be kept');
      this.#options.onChange();
    }
  }
}

/** Whether a draft is exactly an edit that no other author has changed. */
function isOwnDraft(draft: StoredDraft, edit: FolderEdit): boolean {
  return edit.isDrafted && draft.checksum === edit.checksum && isOfFolderOnly(draft.authors);
}

function ignoreGone(error: unknown): void {
  if (!(error instanceof Problem && error.code === 'not-found')) {
    throw error;
  }
}
