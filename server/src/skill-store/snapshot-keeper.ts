import { EditedMap } from '../lib/edited-map.ts';
import { buildSnapshot, type SkillSnapshot } from './skill-snapshot.ts';
import type { FoundSkill, SkillChange, StoredSkill } from './skill-source.ts';

/** Holds the snapshot of what has been found. */
export interface SnapshotKeeper {
  readonly snapshot: SkillSnapshot;
  /** From now on, this is what there is. */
  replace(found: readonly FoundSkill[]): void;
  /**
   * The same after some changes. To put ten thousand skills in order takes a while, so `found`, all that
   * there is now, is only asked for when more has changed than a few texts.
   */
  change(changes: readonly SkillChange[], found: () => readonly FoundSkill[]): void;
}

/** After so many edits the snapshot is built again. */
const maxEdits = 200;

export function createSnapshotKeeper(): SnapshotKeeper {
  let built = buildSnapshot([]);
  let snapshot = built;
  let edits: ReadonlyMap<string, StoredSkill> = new Map();
  let editsLeft = maxEdits;
  /** Of every text there has been since the snapshot was built. */
  let checksums = new Set<string>();
  let hasCopies = false;

  const replace = (found: readonly FoundSkill[]) => {
    const texts = found.flatMap((each) => ('checksum' in each ? [each.checksum] : []));
    checksums = new Set(texts);
    hasCopies = checksums.size < texts.length;
    edits = new Map();
    editsLeft = maxEdits;
    built = buildSnapshot(found);
    snapshot = built;
  };

  /** Whether there were only edits of skills that count, and none became what another is. */
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
      const isCounted = (edited.get(after.id) ?? built.skills.get(after.id)) === before;
      if (!isCounted || (checksums.has(after.checksum) && after.checksum !== before.checksum)) {
        return false;
      }
      checksums.add(after.checksum);
      edited.set(after.id, after);
    }
    edits = edited;
    const skills = new EditedMap(built.skills, edits);
    snapshot = { ...built, skills, edited: { from: built, skills: edits } };
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
  };
}
