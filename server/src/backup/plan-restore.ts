import { type BackupPart, backupParts, type RestorePlan } from '@knowhow/shared/config/backup';
import { problem } from '@knowhow/shared/problem';
import type { AllowedVariables, AllowVariables } from '../content/allowed-variables.ts';
import type { Contents } from '../content/contents.ts';
import type { SkillRoots } from '../skill-store/refused-folder.ts';
import { type RefusedSource, skillSources } from '../skill-store/skill-sources.ts';
import type { Database } from '../storage/open-database.ts';
import type { BackupSource } from './backup-source.ts';
import { faultsOfRestore, skillsDirectoryFault, warningsOfRestore } from './check-restore.ts';
import { type Choice, choiceOf, chooseEntries } from './choose-entries.ts';
import { compareStates } from './compare-states.ts';
import { type CurrentFiles, listCurrentFiles } from './current-files.ts';
import { expectedContents } from './expected-contents.ts';
import { keptFiles, warningsOfKept } from './kept-files.ts';
import { isSafeSkillsDirectory, type Layout, layoutOf } from './layout.ts';
import { type FileFault, readConfiguration } from './read-configuration.ts';
import { fillWithheld } from './withheld-fields.ts';

export interface PlanInput extends SkillRoots {
  /** What placeholders of a backup may read, by the names it lists. */
  allow: AllowVariables;
  /** Whether servers of tools may be taken over that are started here, or are sent keys. */
  mayRunCommands?: boolean;
  /** The active configuration. */
  contents: Contents;
  database: Database;
}

/** What a restore would do, and what it takes to do it. */
export interface PlannedRestore {
  source: BackupSource;
  choice: Choice;
  plan: RestorePlan;
  /** Where everything belongs after it. */
  layout: Layout;
  current: CurrentFiles;
  /** The paths of what stays although the backup does not hold it. */
  kept: ReadonlySet<string>;
}

const maxListed = 500;
const skillsPath = 'contents/config/skills.json';

/** @param only what was chosen of the backup; all when left out */
export async function planRestore(
  source: BackupSource,
  only: readonly string[] | undefined,
  input: PlanInput,
): Promise<PlannedRestore> {
  const { contentsDirectory, allow, contents: now } = input;
  const nowLayout = layoutOf(input, now.skills);
  const before = await listCurrentFiles(nowLayout);
  const emptied = await fillWithheld(source, before.files);
  const backup = await readConfiguration(source, allow);
  const choice = await chosenOf(source, only, {
    contentsDirectory,
    variables: backup.contents.variables,
    paths: [...before.files.keys()],
  });
  refuseMissing(source, choice);
  const contents = expectedContents(now, backup.contents, choice);
  const wanted = layoutOf(input, contents.skills);
  const refusedSources = newlyRefused(contents, input);
  const isSafe =
    isSafeSkillsDirectory(wanted, nowLayout) &&
    !refusedSources.some(({ field }) => field === 'settings.skillsDirectory');
  // What is in a folder that is not ours is not even looked at.
  const layout = isSafe ? wanted : nowLayout;
  const current =
    layout.skillsDirectory === nowLayout.skillsDirectory ? before : await listCurrentFiles(layout);
  const kept = await keptFiles({ source, choice, current });
  const present = filesOf(current.files, (path) => choice.covers(path) && !kept.has(path));
  const wantedFiles = filesOf(source.files, choice.covers);
  const { unchanged, ...comparison } = await compareStates(present, wantedFiles);
  const checked = { ...input, source, choice, now, contents, present: [...present.keys()] };
  const faults = backup.faults.filter(({ path }) => choice.covers(path));
  // What was broken before and stays so, or was so when it was replaced, makes nothing worse.
  const isKnown = ({ path, code }: FileFault) =>
    unchanged.has(path) || (source.isExact && code === 'configuration');
  const plan: RestorePlan = {
    format: source.format,
    ...(source.createdAt === undefined ? {} : { createdAt: source.createdAt }),
    ...(source.app === undefined ? {} : { app: source.app }),
    parts: partsIn(source),
    chosen: [...choice.names],
    ...comparison,
    refused: [
      ...faults.filter((it) => !isKnown(it)),
      ...(isSafe ? [] : [skillsDirectoryFault]),
      ...(await faultsOfRestore(checked)),
    ],
    notUsed: source.notUsed.slice(0, maxListed),
    warnings: [
      ...faults.filter(isKnown).map(({ path, message }) => `${path}: ${message}`),
      ...emptied.filter(({ path }) => choice.covers(path)).map(({ message }) => message),
      ...refusedSources.map(({ message }) => `${skillsPath}: ${message}`),
      ...warningsOfKept(kept, { source, current }),
      ...(await warningsOfRestore(checked)),
    ].slice(0, maxListed),
    data: choice.hasPart('data') ? Object.fromEntries(source.rows) : {},
  };
  return { source, choice, plan, layout, current, kept };
}

/** Folders that would be named as sources of skills, and have no effect. */
function newlyRefused({ skills }: Contents, input: PlanInput): RefusedSource[] {
  const known = new Set(
    skillSources(input.contents.skills, input).refused.map(({ directory }) => directory),
  );
  return skillSources(skills, input).refused.filter(({ directory }) => !known.has(directory));
}

/** @param paths of the files that are there now */
async function chosenOf(
  source: BackupSource,
  only: readonly string[] | undefined,
  {
    contentsDirectory,
    variables,
    paths,
  }: { contentsDirectory: string; variables: AllowedVariables; paths: string[] },
): Promise<Choice> {
  if (source.isExact) {
    return choiceOf(source.names);
  }
  const from = {
    paths: [...source.files.keys()],
    contentsDirectory: `${source.directory}/contents`,
  };
  const others = [{ paths, contentsDirectory }];
  return chooseEntries(only ?? source.names, { from, others, variables });
}

function refuseMissing(source: BackupSource, choice: Choice): void {
  const has = new Set<string>(partsIn(source));
  const missing = choice.names.find((name) => !has.has(name.split('/')[0] ?? ''));
  if (choice.names.length === 0 || missing !== undefined) {
    const what = missing === undefined ? 'anything to restore' : `"${missing}"`;
    throw problem('invalid-request', `The backup does not hold ${what}. Choose another one.`, {
      issues: [{ path: 'only', code: 'not-found', message: `It does not hold ${what}.` }],
    });
  }
}

function partsIn({ names }: BackupSource): BackupPart[] {
  const found = new Set(names.map((name) => name.split('/')[0]));
  return backupParts.filter((part) => found.has(part));
}

function filesOf<File>(
  files: ReadonlyMap<string, File>,
  isWanted: (path: string) => boolean,
): Map<string, File> {
  return new Map([...files].filter(([path]) => isWanted(path)));
}
