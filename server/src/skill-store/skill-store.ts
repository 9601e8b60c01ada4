import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import type { Diagnostic, SkillFile } from '@knowhow/shared/skills';
import { whenQuiet } from '../lib/when-quiet.ts';
import { parseSkill } from '../skill-format/skill-format.ts';
import { diagnoseFolder, type InspectedFiles } from './diagnose-folder.ts';
import { createFolderWatch } from './folder-watch.ts';
import { checkRegularly } from './regular-checks.ts';
import { defaultScanLimits, type LeftOut, type ScanLimits } from './scan-limits.ts';
import { listSkillFiles, type OpenSkillFile, openSkillFile } from './skill-files.ts';
import type { SkillChange, SkillSnapshot, StoredSkill } from './skill-snapshot.ts';
import type { SkillSource } from './skill-source.ts';
import { createSnapshotKeeper } from './snapshot-keeper.ts';
import { openSourceTree, type SourceTree } from './source-tree.ts';

/** The skills of some folders on disk. Hand routes and tools a `SkillView`, never this. */
export interface SkillStore {
  /** All skills now: a new object whenever something has changed. */
  readonly snapshot: SkillSnapshot;
  /** Resolves when everything has been read once. */
  readonly scanned: Promise<void>;
  /** The sources as they were found, in their precedence. */
  readonly sources: readonly SourceState[];
  /** Reads other sources from now on, if they are others. */
  setSources(sources: readonly SkillSource[]): void;
  /**
   * Looks for changes at once: in one folder and below, or everywhere. Resolves when the snapshot shows
   * all that had been written before the call.
   */
  refresh(directory?: string): Promise<void>;
  readBody(skill: StoredSkill): Promise<string>;
  listFiles(skill: StoredSkill): Promise<SkillFile[]>;
  /** Undefined when there is no such file inside the skill's folder. */
  openFile(skill: StoredSkill, path: string): Promise<OpenSkillFile | undefined>;
  /**
   * What there is to say of the files in a skill's folder; each state of a file is looked into once.
   * Throws a problem when the folder has gone.
   */
  diagnose(directory: string): Promise<Diagnostic[]>;
  close(): void;
}

/** What is known of a source besides its skills. */
export interface SourceState {
  source: SkillSource;
  /** Whether its folder is there. */
  isThere: boolean;
  /** Whether there is a skill in it. */
  hasSkills: boolean;
  leftOut: LeftOut;
}

interface Options {
  limits?: ScanLimits;
  /** Called after each look that may have found something else. */
  onLooked?: () => void;
}

/** What is noticed together is looked at together. */
const quietMs = 100;

type Look = (tree: SourceTree) => Promise<SkillChange[]>;

/** Begins to read the sources, and goes on seeing what changes in them. */
export function openSkillStore(
  sources: readonly SkillSource[],
  { limits = defaultScanLimits, onLooked = () => undefined }: Options = {},
): SkillStore {
  const keeper = createSnapshotKeeper();
  let trees: SourceTree[] = [];
  let names = '';
  let checkWaits = false;
  let work: Promise<unknown> = Promise.resolve();

  /** One look at a time; a new snapshot only if it found something, or in any case. */
  const look = (how: Look, always = false): Promise<void> => {
    const looked = work.then(async () => {
      const looking = trees;
      const changes = (await Promise.all(looking.map(how))).flat();
      const found = () => looking.flatMap((tree) => tree.found());
      if (looking === trees && always) {
        keeper.replace(found());
      } else if (looking === trees && changes.length > 0) {
        keeper.change(changes, found);
      }
      onLooked();
    });
    work = looked.catch(() => undefined);
    return looked;
  };

  const notices = whenQuiet(quietMs, () => void look((tree) => tree.update()));

  /** A check that waits its turn sees whatever happens until then: one is enough. */
  const checkAll = () => {
    if (!checkWaits) {
      checkWaits = true;
      void work.then(() => {
        checkWaits = false;
      });
      void look((tree) => tree.check());
    }
  };

  const setSources = (wanted: readonly SkillSource[]): Promise<void> => {
    const wantedNames = JSON.stringify(wanted);
    if (wantedNames === names) {
      return work.then(() => undefined);
    }
    names = wantedNames;
    closeAll(trees);
    trees = wanted.map((source) =>
      openSourceTree(source, { limits, watch: createFolderWatch(notices.stir, checkAll) }),
    );
    return look((tree) => tree.check(), true);
  };

  const scanned = setSources(sources);
  const endChecks = checkRegularly(() => trees.map(({ source }) => source.directory), checkAll);

  return {
    get snapshot() {
      return keeper.snapshot;
    },
    scanned,
    get sources() {
      return trees.map(stateOf);
    },
    setSources: (wanted) => void setSources(wanted),
    refresh: (directory) =>
      look((tree) => (directory === undefined ? tree.check() : tree.checkFolder(directory))),
    ...createReaders(),
    close: () => {
      notices.cancel();
      endChecks();
      closeAll(trees);
    },
  };
}

type Readers = Pick<SkillStore, 'readBody' | 'listFiles' | 'openFile' | 'diagnose'>;

function createReaders(): Readers {
  const inspected: InspectedFiles = new Map();
  return {
    readBody: async ({ file, directory }) =>
      parseSkill(await readFile(file), basename(directory)).body,
    listFiles: ({ directory }) => listSkillFiles(directory),
    openFile: ({ directory }, path) => openSkillFile(directory, path),
    diagnose: (directory) => diagnoseFolder(directory, inspected),
  };
}

function stateOf({ source, isThere, hasSkills, leftOut }: SourceTree): SourceState {
  return { source, isThere: isThere(), hasSkills: hasSkills(), leftOut: leftOut() };
}

function closeAll(trees: readonly SourceTree[]): void {
  for (const tree of trees) {
    tree.close();
  }
}
