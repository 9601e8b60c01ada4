import { slug } from '@knowhow/shared/skills/skill-name';
import type { SkillSnapshot } from '../store/skill-snapshot.ts';
import type { FoundSkill } from '../store/skill-source.ts';
import type { SkillStore } from '../store/skill-store.ts';
import type { SkillWriter } from '../store/skill-writer.ts';
import type { SkillVersions } from './skill-versions.ts';

interface Options {
  store: Pick<SkillStore, 'refresh' | 'snapshot' | 'sources'>;
  writer: Pick<SkillWriter, 'exclusive'>;
  versions: Pick<SkillVersions, 'list' | 'record'>;
}

export interface Removals {
  /** Records what is in no folder; nothing if the folder of local skills is missing or empty. */
  recordAll(names: Iterable<string>, signal: AbortSignal): Promise<void>;
  /** Records a deletion if the skill is still in no folder once running writes have ended. */
  record(name: string): Promise<void>;
}

/** Finds skills whose folders were removed in the file system, and moves them to the bin. */
export function recordRemovals({ store, writer, versions }: Options): Removals {
  let last: { snapshot: SkillSnapshot; names: ReadonlySet<string> | undefined } | undefined;
  const present = () => {
    const { snapshot } = store;
    if (last?.snapshot !== snapshot) {
      last = { snapshot, names: namesInContents(store) };
    }
    return last.names;
  };
  const isGone = (name: string) => present()?.has(name) === false;
  const record = (name: string) =>
    writer.exclusive(async () => {
      if (isGone(name)) {
        // It may be back since the folders were read.
        await store.refresh(name);
      }
      const { items } = isGone(name) ? await versions.list(name, { limit: 1 }) : { items: [] };
      // A skill of a plugin is installed again from its source.
      if (
        items.some(({ checksum, origin }) => checksum !== undefined && origin.kind !== 'plugin')
      ) {
        const origin = { kind: 'file-system' as const };
        await versions.record(name, { action: 'deleted', summary: '', origin, files: undefined });
      }
    });
  return {
    recordAll: async (names, signal) => {
      for (const name of [...names].filter(isGone)) {
        if (signal.aborted) {
          return;
        }
        await record(name);
      }
    },
    record,
  };
}

/** Undefined if the folder of local skills is missing or empty: a disk may not be mounted. */
function namesInContents({ sources }: Options['store']): ReadonlySet<string> | undefined {
  const followed = sources.filter(({ writable, kind }) => writable || kind === 'plugin');
  const local = followed.find(({ writable }) => writable)?.status();
  return local?.isThere && local.hasSkills
    ? new Set(followed.flatMap((source) => source.list().flatMap(namesOf)))
    : undefined;
}

/** An unreadable skill has the name of its folder. */
function namesOf(found: FoundSkill): string[] {
  return 'id' in found ? [found.id] : found.path.split('/').map(slug);
}
