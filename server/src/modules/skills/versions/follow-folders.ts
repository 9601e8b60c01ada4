import { AsyncLocalStorage } from 'node:async_hooks';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { Problem } from '@knowhow/shared/problem';
import type { Log } from '../../../platform/lib/log.ts';
import { readContent } from '../store/skill-content.ts';
import { type SkillSnapshot, skillsSince } from '../store/skill-snapshot.ts';
import type { SkillLocation, StoredSkill } from '../store/skill-source.ts';
import type { SkillStore } from '../store/skill-store.ts';
import type { SkillWriter } from '../store/skill-writer.ts';
import { findMain } from './category-of.ts';
import { recordRemovals } from './record-removals.ts';
import type { SkillVersions, StoredVersion } from './skill-versions.ts';

interface Options {
  store: Pick<SkillStore, 'findVersion' | 'refresh' | 'snapshot' | 'sources'>;
  writer: Pick<SkillWriter, 'exclusive'>;
  versions: Pick<SkillVersions, 'keepBefore' | 'list' | 'manifest' | 'record'>;
  log: Log;
  /** Whether edits of local folders become drafts instead of versions. Plugins are not reviewed. */
  isReviewed: () => boolean;
}

/** Records versions of skills that change in the file system while the server runs. */
export interface FolderFollower {
  /** Call it after the snapshot has changed. The first call only remembers it. */
  look(): void;
  close(): void;
}

/**
 * Notices a changed `SKILL.md`. Changes of other files are recorded with the next write, or when
 * someone looks at the versions.
 */
export function followFolders({
  store,
  writer,
  versions,
  log,
  isReviewed,
}: Options): FolderFollower {
  let former: SkillSnapshot | undefined;
  let isClosed = false;
  let work: Promise<unknown> = Promise.resolve();
  const isFollowed = (skill: StoredSkill) =>
    isInContents(skill) && !(skill.source.writable && isReviewed());
  const removals = recordRemovals({ store, writer, versions });
  // The caller may be inside a write, which has yet to record its own version.
  const outside = AsyncLocalStorage.snapshot();

  async function record(id: string): Promise<void> {
    // Checked before the lock is taken: after an import, thousands of requests would wait for it.
    const findUnrecorded = () => {
      const skill = isClosed ? undefined : store.snapshot.skills.get(id);
      return skill && store.findVersion(skill) ? undefined : skill;
    };
    if (findUnrecorded()) {
      await writer.exclusive(async () => {
        const skill = findUnrecorded();
        if (skill && !(await isRecorded(skill))) {
          await versions.keepBefore(id, await readContent(skill), getFolderOrigin(skill));
        }
      });
    }
  }

  /** Whether the newest version has this `SKILL.md`: our own write recorded it. */
  async function isRecorded({ id, checksum }: StoredSkill): Promise<boolean> {
    const { items } = await versions.list(id, { limit: 1 });
    const manifest = items[0] ? await versions.manifest(id, items[0].number) : undefined;
    const main = manifest && findMain(manifest);
    return main?.digest === Buffer.from(checksum, 'hex').toString('base64url');
  }

  function doSoon(id: string, run: (id: string) => Promise<unknown>): void {
    work = work
      // Thousands of skills may have changed at once.
      .then(() => yieldToEventLoop())
      .then(() => outside(run, id))
      .catch((error: unknown) => {
        // Deleted in the meantime, or too large to be stored.
        if (!isClosed && !(error instanceof Problem)) {
          log.warn({ error, skill: id }, 'a change in the file system got no version');
        }
      });
  }

  return {
    look: () => {
      const { snapshot } = store;
      if (former && former !== snapshot) {
        for (const skill of skillsSince(snapshot, former).values()) {
          if (former.skills.get(skill.id) !== skill && isFollowed(skill)) {
            doSoon(skill.id, record);
          }
        }
        // After the new ones: a renamed folder takes its versions along.
        for (const skill of former.skills.values()) {
          if (!snapshot.skills.has(skill.id) && isFollowed(skill)) {
            doSoon(skill.id, (id) => (isClosed ? Promise.resolve() : removals.record(id)));
          }
        }
      }
      former = snapshot;
    },
    close: () => {
      isClosed = true;
    },
  };
}

/** Whether the files of a skill get versions. */
export function isInContents({ source, path }: StoredSkill): boolean {
  return (source.writable && path !== '') || source.kind === 'plugin';
}

/** The origin of a version that was found in the file system. */
export function getFolderOrigin({ source, path }: SkillLocation): StoredVersion['origin'] {
  return source.kind === 'plugin'
    ? { kind: 'plugin', detail: path.split('/')[0] ?? '' }
    : { kind: 'file-system' };
}
