import type { Diagnostic, SkillFile } from '@knowhow/shared/skills/skills';
import { type PackedFile, parseSkill } from '@knowhow/skill-format';
import { addToCache } from '../../../platform/lib/add-to-cache.ts';
import { debounce } from '../../../platform/lib/debounce.ts';
import { ignore } from '../../../platform/lib/ignore.ts';
import { isPlainRelativePath } from '../../../platform/lib/resolve-inside.ts';
import { diagnoseContent, type InspectedFiles } from './diagnose-content.ts';
import { type DigestedFile, digestFiles, type KnownDigests } from './digest-files.ts';
import { listResources } from './list-files.ts';
import { readContentIfAny } from './skill-content.ts';
import type { SkillSnapshot } from './skill-snapshot.ts';
import type {
  Look,
  Notices,
  OpenSkillFile,
  PersonalSkill,
  PublishedVersion,
  SkillChange,
  SkillLocation,
  SkillSource,
  SkillVersionName,
  StoredSkill,
} from './skill-source.ts';
import { createSnapshotKeeper, type SnapshotKeeper } from './snapshot-keeper.ts';

/** The skills of all sources. Routes and tools must get a `SkillView` instead. */
export interface SkillStore {
  /** All skills now: a new object whenever something has changed. */
  readonly snapshot: SkillSnapshot;
  /** Resolves after the first complete scan. */
  readonly scanned: Promise<void>;
  /** Duration of the first scan; undefined until it ends. */
  readonly scanSeconds: number | undefined;
  /** In order of precedence. */
  readonly sources: readonly SkillSource[];
  /** Replaces the sources; one that is already open under its key stays open. */
  setSources(sources: readonly SkillSource[]): void;
  /** Replaces the stored versions of the snapshot. */
  setVersions(versions: SkillSnapshot['versions']): void;
  /**
   * The personal skills of a user, then those that others share with the user or these groups, enabled or not; none
   * without a user. The same list as long as nothing has changed.
   */
  getPersonal(user: string | undefined, groups: readonly string[]): readonly PersonalSkill[];
  /** Replaces the function that finds personal skills. */
  setPersonal(find: FindPersonal): void;
  /** The version of a skill, with its time if it is the published one; undefined for a skill without versions. */
  findVersion(skill: StoredSkill): SkillVersionName | PublishedVersion | undefined;
  /**
   * Looks for changes now: everywhere, or at some paths of the writable source. Resolves when the
   * snapshot shows everything written before the call.
   */
  refresh(...paths: string[]): Promise<void>;
  readBody(skill: StoredSkill): Promise<string>;
  /**
   * The body and the trigger words of a skill. Empty for a remote skill, which is not loaded for
   * this.
   */
  readText(skill: StoredSkill): Promise<{ body: string; triggers: string }>;
  /** All files except `SKILL.md`. */
  listFiles(skill: SkillLocation): Promise<SkillFile[]>;
  /** All files including `SKILL.md`; undefined above the limits. */
  digestFiles(
    skill: SkillLocation,
    most: { files: number; bytes: number },
  ): Promise<DigestedFile[] | undefined>;
  /** Undefined if the skill has no such file. */
  openFile(skill: SkillLocation, path: string): Promise<OpenSkillFile | undefined>;
  /**
   * The files at a path of the writable source, whether it is a skill or not. Undefined for a path that leads out
   * of it.
   */
  readWritable(path: string): Promise<PackedFile[] | undefined>;
  /**
   * Diagnostics of the files of a skill, cached per file version. Throws a problem if the skill has
   * been deleted.
   */
  diagnose(skill: SkillLocation): Promise<Diagnostic[]>;
  close(): void;
}

type FindPersonal = (user: string, groups: readonly string[]) => readonly PersonalSkill[];

/** Changes within this time are processed together. */
const quietMs = 100;
/** Polling interval, because watches do not work on some file systems. */
const everythingMs = 8000;

/**
 * Starts reading the sources and watching them for changes.
 *
 * @param onLooked called after each look that may have found changes
 * @param onFailed called if a look in the background fails
 * @param findPublished the newest version of a skill as it is now
 */
export function openSkillStore(
  wanted: readonly SkillSource[],
  onLooked: () => void = () => undefined,
  onFailed: (error: unknown) => void = ignore,
  findPublished: (skill: StoredSkill) => PublishedVersion | undefined = () => undefined,
): SkillStore {
  const keeper = createSnapshotKeeper();
  let sources: readonly SkillSource[] = [];
  let isCheckQueued = false;
  let work: Promise<unknown> = Promise.resolve();

  /**
   * Runs one look at a time; creates a new snapshot only if something has changed, or if `always`.
   */
  const look = (at: (source: SkillSource) => Look, always = false): Promise<void> => {
    const looked = work.then(async () => {
      const looking = sources;
      const found = await Promise.all(looking.map((source) => source.look(at(source))));
      if (looking === sources) {
        updateSnapshot(keeper, looking, always ? undefined : found.flat());
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

  /** A queued check sees all changes until it runs: one is enough. */
  const checkAll = () => {
    if (!isCheckQueued) {
      isCheckQueued = true;
      work
        .then(() => {
          isCheckQueued = false;
        })
        .catch(ignore);
      lookSoon(everywhere);
    }
  };

  const setSources = (wanted: readonly SkillSource[]): Promise<void> => {
    const distinct = [...new Map(wanted.map((other) => [other.key, other])).values()];
    const next = distinct.map((other) => sources.find(({ key }) => key === other.key) ?? other);
    if (next.length === sources.length && next.every((source, at) => source === sources[at])) {
      return work.then(() => undefined);
    }
    closeAll(sources.filter((source) => !next.includes(source)));
    watchAll(
      next.filter((source) => !sources.includes(source)),
      { noticed: notices.trigger, missed: checkAll },
    );
    sources = next;
    return look(everywhere, true);
  };

  let findPersonal: FindPersonal = () => noSkills;
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
    setVersions: keeper.setVersions,
    getPersonal: (user, groups) => (user === undefined ? noSkills : findPersonal(user, groups)),
    setPersonal: (find) => {
      findPersonal = find;
    },
    findVersion: (skill) => skill.fixed ?? findPublished(skill),
    refresh: (...paths) => look(paths.length === 0 ? everywhere : atPaths(paths, writable())),
    readWritable: async (path) => {
      const source = writable();
      const isInside = path === '' || isPlainRelativePath(path);
      return source && isInside ? readContentIfAny({ source, path }) : undefined;
    },
    ...createReaders(),
    close: () => {
      notices.cancel();
      clearInterval(checks);
      closeAll(sources);
    },
  };
}

const noSkills: readonly PersonalSkill[] = [];

const everywhere = (): Look => 'everywhere';
const noticed = (): Look => 'noticed';
const atPaths =
  (paths: readonly string[], source: SkillSource | undefined) =>
  (each: SkillSource): Look =>
    each === source ? { paths } : 'noticed';

/** Applies changes to the snapshot, or rebuilds it. */
function updateSnapshot(
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
    readBody: createBodyReader(),
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

interface KnownBody {
  /** The `SKILL.md` with this body. */
  bytes: Uint8Array;
  body: string;
}

const maxKnownBodies = 64;
const maxKnownBytes = 64 * 1024;

/** Reads bodies; most are read again and again, and are parsed once. */
function createBodyReader(): SkillStore['readBody'] {
  const known = new Map<StoredSkill, KnownBody>();
  return async (skill) => {
    const bytes = await skill.source.read(skill);
    const before = known.get(skill);
    if (before && Buffer.compare(before.bytes, bytes) === 0) {
      return before.body;
    }
    const { body } = parseSkill(bytes, skill.id);
    if (bytes.length <= maxKnownBytes) {
      addToCache(known, { key: skill, value: { bytes, body }, max: maxKnownBodies });
    }
    return body;
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
