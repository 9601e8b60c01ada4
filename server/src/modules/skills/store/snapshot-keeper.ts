import { EditedMap } from '../../../platform/lib/edited-map.ts';
import { buildSnapshot, type SkillSnapshot } from './skill-snapshot.ts';
import type { FoundSkill, SkillChange, StoredSkill } from './skill-source.ts';

/** Maintains the snapshot of all found skills. */
export interface SnapshotKeeper {
  readonly snapshot: SkillSnapshot;
  /** Rebuilds the snapshot. */
  replace(found: readonly FoundSkill[]): void;
  /**
   * Updates the snapshot after some changes. Rebuilding with ten thousand skills takes a while, so
   * `found`, which returns all skills, is called only if more than a few texts have changed.
   */
  change(changes: readonly SkillChange[], found: () => readonly FoundSkill[]): void;
  /** Replaces the stored versions. */
  setVersions(versions: SkillSnapshot['versions']): void;
}

/** Number of edits after which the snapshot is rebuilt. */
const maxEdits = 200;

export function createSnapshotKeeper(): SnapshotKeeper {
  let built = buildSnapshot([]);
  let snapshot = built;
  let versions: SkillSnapshot['versions'] = new Map();
  let edits: ReadonlyMap<string, StoredSkill> = new Map();
  let editsLeft = maxEdits;
  /** Checksums of all texts since the last rebuild. */
  let checksums = new Set<string>();
  let hasCopies = false;

  const replace = (found: readonly FoundSkill[]) => {
    const texts = found.flatMap((each) => ('checksum' in each ? [each.checksum] : []));
    checksums = new Set(texts);
    hasCopies = checksums.size < texts.length;
    edits = new Map();
    editsLeft = maxEdits;
    built = { ...buildSnapshot(found), versions };
    snapshot = built;
  };

  /** The last rebuilt snapshot with the edits since. */
  const derive = (): SkillSnapshot => ({
    ...built,
    skills: edits.size > 0 ? new EditedMap(built.skills, edits) : built.skills,
    versions,
    edited: { from: built, skills: edits },
  });

  /**
   * Applies changes if they are only edits of effective skills and create no duplicates. Returns
   * whether it did.
   */
  const edit = (changes: readonly SkillChange[]): boolean => {
    editsLeft -= changes.length;
    if (hasCopies || editsLeft < 0) {
      return false;
    }
    const edited = new Map(edits);
    for (const { before, after } of changes) {
      if (!before || !after || 'diagnostic' in before || 'diagnostic' in after) {
        return false;
      }
      const isEffective = (edited.get(after.id) ?? built.skills.get(after.id)) === before;
      if (!isEffective || (checksums.has(after.checksum) && after.checksum !== before.checksum)) {
        return false;
      }
      checksums.add(after.checksum);
      edited.set(after.id, after);
    }
    edits = edited;
    snapshot = derive();
    return true;
  };

  return {
    get snapshot() {
      return snapshot;
    },
    replace,
    change: (changes, found) => {
      if (!edit(changes)) {
        replace(found());
      }
    },
    setVersions: (stored) => {
      versions = stored;
      snapshot = derive();
    },
  };
}
