import type { Diagnostic, SkillFile } from '@knowhow/shared/skills/skills';
import { debounce } from '../lib/debounce.ts';
import { ignore } from '../lib/ignore.ts';
import { type PackedFile, parseSkill } from '../skill-format/skill-format.ts';
import { diagnoseContent, type InspectedFiles } from './diagnose-content.ts';
import { type DigestedFile, digestFiles, type KnownDigests } from './digest-files.ts';
import { listResources } from './list-files.ts';
import { readContentIfAny } from './skill-content.ts';
import type { SkillSnapshot } from './skill-snapshot.ts';
import type {
  Look,
  Notices,
  OpenSkillFile,
  SkillChange,
  SkillLocation,
  SkillSource,
  StoredSkill,
} from './skill-source.ts';
import { createSnapshotKeeper, type SnapshotKeeper } from './snapshot-keeper.ts';

/** The skills of all sources. Hand routes and tools a `SkillView`, never this. */
export interface SkillStore {
  /** All skills now: a new object whenever something has changed. */
  readonly snapshot: SkillSnapshot;
  /** Resolves when everything has been read once. */
  readonly scanned: Promise<void>;
  /** How long that took; undefined until then. */
  readonly scanSeconds: number | undefined;
  /** In their precedence. */
  readonly sources: readonly SkillSource[];
  /** Reads these sources from now on; one that is open under its key stays open. */
  setSources(sources: readonly SkillSource[]): void;
  /**
   * Looks for changes at once: everywhere, or at one path of the source that can be written. Resolves when
   * the snapshot shows all that had been written there before the call.
   */
  refresh(path?: string): Promise<void>;
  readBody(skill: StoredSkill): Promise<string>;
  /**
   * The body, and the words by which the skill says that it is to be found; nothing of a skill on another
   * server, which nobody has asked for.
   */
  readText(skill: StoredSkill): Promise<{ body: string; triggers: string }>;
  /** Every file but `SKILL.md`. */
  listFiles(skill: SkillLocation): Promise<SkillFile[]>;
  /** Every file, `SKILL.md` too; undefined where there is more than that. */
  digestFiles(
    skill: SkillLocation,
    most: { files: number; bytes: number },
  ): Promise<DigestedFile[] | undefined>;
  /** Undefined when the skill has no such file. */
  openFile(skill: SkillLocation, path: string): Promise<OpenSkillFile | undefined>;
  /** What is at a path of the source that can be written, be it a skill or not. */
  readWritable(path: string): Promise<PackedFile[] | undefined>;
  /**
   * What there is to say of the files of a skill; each state of a file is looked into once. Throws a
   * problem when the skill has gone.
   */
  diagnose(skill: SkillLocation): Promise<Diagnostic[]>;
  close(): void;
}

/** What is noticed together is looked at together. */
const quietMs = 100;
/** How often everything is looked at: on some disks a watch notices nothing. */
const everythingMs = 8000;

/**
 * Begins to read the sources, and goes on seeing what changes in them.
 *
 * @param onLooked called after each look that may have found something else
 * @param onFailed called when a look in the background fails
 */
export function openSkillStore(
  wanted: readonly SkillSource[],
  onLooked: () => void = () => undefined,
  onFailed: (error: unknown) => void = ignore,
): SkillStore {
  const keeper = createSnapshotKeeper();
  let sources: readonly SkillSource[] = [];
  let checkWaits = false;
  let work: Promise<unknown> = Promise.resolve();

  /** One look at a time; a new snapshot only if it found something, or in any case. */
  const look = (at: (source: SkillSource) => Look, always = false): Promise<void> => {
    const looked = work.then(async () => {
      const looking = sources;
      const found = await Promise.all(looking.map((source) => source.look(at(source))));
      if (looking === sources) {
        keep(keeper, looking, always ? undefined : found.flat());
      }
      onLooked();
    });
    work = looked.catch(() => undefined);
    return looked;
  };

  const lookSoon = (at: (source: SkillSource) => Look) => {
    look(at).catch(onFailed);
  };
  const notices = debounce(quietMs, () => lookSoon(noticed));

  /** A check that waits in the queue sees whatever happens until then: one is enough. */
  const checkAll = () => {
    if (!checkWaits) {
      checkWaits = true;
      work
        .then(() => {
          checkWaits = false;
        })
        .catch(ignore);
      lookSoon(everywhere);
    }
  };

  const setSources = (others: readonly SkillSource[]): Promise<void> => {
    const unlike = [...new Map(others.map((other) => [other.key, other])).values()];
    const next = unlike.map((other) => sources.find(({ key }) => key === other.key) ?? other);
    if (next.length === sources.length && next.every((source, at) => source === sources[at])) {
      return work.then(() => undefined);
    }
    closeAll(sources.filter((source) => !next.includes(source)));
    watchAll(
      next.filter((source) => !sources.includes(source)),
      { noticed: notices.stir, missed: checkAll },
    );
    sources = next;
    return look(everywhere, true);
  };

  const began = performance.now();
  let scanSeconds: number | undefined;
  const scanned = setSources(wanted).then(() => {
    scanSeconds = (performance.now() - began) / 1000;
  });
  const checks = setInterval(checkAll, everythingMs).unref();
  const writable = () => sources.find((source) => source.writable);

  return {
    get snapshot() {
      return keeper.snapshot;
    },
    scanned,
    get scanSeconds() {
      return scanSeconds;
    },
    get sources() {
      return sources;
    },
    setSources: (others) => {
      setSources(others).catch(onFailed);
    },
    refresh: (path) => look(path === undefined ? everywhere : atPath(path, writable())),
    readWritable: async (path) => {
      const source = writable();
      return source && readContentIfAny({ source, path });
    },
    ...createReaders(),
    close: () => {
      notices.cancel();
      clearInterval(checks);
      closeAll(sources);
    },
  };
}

const everywhere = (): Look => 'everywhere';
const noticed = (): Look => 'noticed';
const atPath =
  (path: string, source: SkillSource | undefined) =>
  (each: SkillSource): Look =>
    each === source ? { path } : 'noticed';

/** Shows what has changed, or everything. */
function keep(
  keeper: SnapshotKeeper,
  sources: readonly SkillSource[],
  changes: readonly SkillChange[] | undefined,
): void {
  const found = () => sources.flatMap((source) => source.list());
  if (!changes) {
    keeper.replace(found());
  } else if (changes.length > 0) {
    keeper.change(changes, found);
  }
}

type Readers = Pick<
  SkillStore,
  'readBody' | 'readText' | 'listFiles' | 'digestFiles' | 'openFile' | 'diagnose'
>;

function createReaders(): Readers {
  const inspected: InspectedFiles = new Map();
  const digests: KnownDigests = new Map();
  const read = async (skill: StoredSkill) => parseSkill(await skill.source.read(skill), skill.id);
  return {
    readBody: async (skill) => (await read(skill)).body,
    readText: async (skill) => {
      if (skill.source.isRemote) {
        return { body: '', triggers: '' };
      }
      const { body, triggers } = await read(skill);
      return { body, triggers };
    },
    listFiles: listResources,
    digestFiles: (skill, most) => digestFiles(skill, most, digests),
    openFile: ({ source, path }, file) => source.open(path, file),
    diagnose: async (skill) => (skill.source.isRemote ? [] : diagnoseContent(skill, inspected)),
  };
}

function watchAll(sources: readonly SkillSource[], notices: Notices): void {
  for (const source of sources) {
    source.watch(notices);
  }
}

function closeAll(sources: readonly SkillSource[]): void {
  for (const source of sources) {
    source.close();
  }
}
