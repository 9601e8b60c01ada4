import { join } from 'node:path';
import { type BackupPart, backupParts, type RestorePlan } from '@knowhow/shared/config/backup';
import { problem } from '@knowhow/shared/problem';
import type { Database } from '../../platform/storage/open-database.ts';
import type { AllowedVariables, AllowVariables, Contents } from '../content/index.ts';
import { type RefusedSource, type SkillRoots, skillSources } from '../skills/index.ts';
import type { BackupSource } from './backup-source.ts';
import { findRestoreIssues, findRestoreWarnings, skillsDirectoryFault } from './check-restore.ts';
import { type Choice, chooseEntries, createChoice, parentFolders } from './choose-entries.ts';
import { compareStates } from './compare-states.ts';
import { type CurrentFiles, listCurrentFiles } from './current-files.ts';
import { getLayout, isSafeSkillsDirectory, type Layout } from './layout.ts';
import { type FileFault, readConfiguration } from './read-configuration.ts';
import { isThere } from './restore-journal.ts';
import { fillWithheld } from './withheld-fields.ts';

export interface PlanInput extends SkillRoots {
  /** Environment variables that placeholders of a backup may read, by the names it lists. */
  allow: AllowVariables;
  /** Whether tool servers may be added that are started here or receive keys. */
  mayRunCommands?: boolean;
  /** The active configuration. */
  contents: Contents;
  database: Database;
}

/** A restore's preview and everything needed to execute it. */
export interface PlannedRestore {
  source: BackupSource;
  choice: Choice;
  plan: RestorePlan;
  /** The layout after the restore. */
  layout: Layout;
  current: CurrentFiles;
  /** Paths that stay although the backup does not contain them. */
  kept: ReadonlySet<string>;
}

const maxListed = 500;
const skillsPath = 'contents/config/skills.json';

/** @param only the selection from the backup; everything if omitted */
export async function planRestore(
  source: BackupSource,
  only: readonly string[] | undefined,
  input: PlanInput,
): Promise<PlannedRestore> {
  const { contentsDirectory, allow, contents: now } = input;
  const nowLayout = getLayout(input, now.skills);
  const before = await listCurrentFiles(nowLayout);
  const emptied = await fillWithheld(source, before.files);
  const backup = await readConfiguration(source, allow);
  const choice = await resolveChoice(source, only, {
    contentsDirectory,
    variables: backup.contents.variables,
    paths: [...before.files.keys()],
  });
  assertContained(source, choice);
  const contents = expectedContents(now, backup.contents, choice);
  const wanted = getLayout(input, contents.skills);
  const refusedSources = findNewlyRejected(contents, input);
  const isSafe =
    isSafeSkillsDirectory(wanted, nowLayout) &&
    !refusedSources.some(({ field }) => field === 'settings.skillsDirectory');
  // A folder that is not ours is not even listed.
  const layout = isSafe ? wanted : nowLayout;
  const current =
    layout.skillsDirectory === nowLayout.skillsDirectory ? before : await listCurrentFiles(layout);
  const kept = await findUntouchedFiles({ source, choice, current });
  const present = filterFiles(current.files, (path) => choice.covers(path) && !kept.has(path));
  const wantedFiles = filterFiles(source.files, choice.covers);
  const { unchanged, ...comparison } = await compareStates(present, wantedFiles);
  const checked = { ...input, source, choice, now, contents, present: [...present.keys()] };
  const faults = backup.faults.filter(({ path }) => choice.covers(path));
  // Issues that existed before, or that a snapshot restores, do not block a restore.
  const isKnown = ({ path, code }: FileFault) =>
    unchanged.has(path) || (source.isExact && code === 'configuration');
  const plan: RestorePlan = {
    format: source.format,
    ...(source.createdAt === undefined ? {} : { createdAt: source.createdAt }),
    ...(source.app === undefined ? {} : { app: source.app }),
    parts: getParts(source),
    chosen: [...choice.names],
    ...comparison,
    refused: [
      ...faults.filter((issue) => !isKnown(issue)),
      ...(isSafe ? [] : [skillsDirectoryFault]),
      ...(await findRestoreIssues(checked)),
    ],
    notUsed: source.notUsed.slice(0, maxListed),
    warnings: [
      ...faults.filter(isKnown).map(({ path, message }) => `${path}: ${message}`),
      ...emptied.filter(({ path }) => choice.covers(path)).map(({ message }) => message),
      ...refusedSources.map(({ message }) => `${skillsPath}: ${message}`),
      ...describeUntouchedFiles(kept, { source, current }),
      ...(await findRestoreWarnings(checked)),
    ].slice(0, maxListed),
    data: choice.hasPart('data') ? Object.fromEntries(source.rows) : {},
  };
  return { source, choice, plan, layout, current, kept };
}

/** Skill folders that the backup configures but that would be rejected. */
function findNewlyRejected({ skills }: Contents, input: PlanInput): RefusedSource[] {
  const known = new Set(
    skillSources(input.contents.skills, input).refused.map(({ directory }) => directory),
  );
  return skillSources(skills, input).refused.filter(({ directory }) => !known.has(directory));
}

/** @param paths of the present files */
async function resolveChoice(
  source: BackupSource,
  only: readonly string[] | undefined,
  {
    contentsDirectory,
    variables,
    paths,
  }: { contentsDirectory: string; variables: AllowedVariables; paths: string[] },
): Promise<Choice> {
  if (source.isExact) {
    return createChoice(source.names);
  }
  const from = {
    paths: [...source.files.keys()],
    contentsDirectory: `${source.directory}/contents`,
  };
  const others = [{ paths, contentsDirectory }];
  return chooseEntries(only ?? source.names, { from, others, variables });
}

function assertContained(source: BackupSource, choice: Choice): void {
  const has = new Set<string>(getParts(source));
  const missing = choice.names.find((name) => !has.has(name.split('/')[0] ?? ''));
  if (choice.names.length === 0 || missing !== undefined) {
    const what = missing === undefined ? 'anything to restore' : `"${missing}"`;
    throw problem('invalid-request', `The backup does not hold ${what}. Choose another one.`, {
      issues: [{ path: 'only', code: 'not-found', message: `It does not hold ${what}.` }],
    });
  }
}

function getParts({ names }: BackupSource): BackupPart[] {
  const found = new Set(names.map((name) => name.split('/')[0]));
  return backupParts.filter((part) => found.has(part));
}

function filterFiles<File>(
  files: ReadonlyMap<string, File>,
  isWanted: (path: string) => boolean,
): Map<string, File> {
  return new Map([...files].filter(([path]) => isWanted(path)));
}

type Items = 'apps' | 'models' | 'prompts';

/** The configuration as it would be after restoring the selection. */
function expectedContents(now: Contents, backup: Contents, choice: Choice): Contents {
  const items = <Kind extends Items>(kind: Kind) => expectedItems(kind, { now, backup, choice });
  const config = <Kind extends 'platform' | 'groups' | 'skills' | 'tools'>(
    kind: Kind,
  ): Contents[Kind] => (choice.covers(`contents/config/${kind}.json`) ? backup : now)[kind];
  return {
    platform: config('platform'),
    groups: config('groups'),
    skills: config('skills'),
    skillSources: (choice.covers('contents/config/skill-sources.json') ? backup : now).skillSources,
    tools: config('tools'),
    mcpServers: (choice.covers('contents/config/mcp.json') ? backup : now).mcpServers,
    apps: items('apps'),
    models: items('models'),
    prompts: items('prompts'),
    faults: [],
    unfilled: [],
    variables: (choice.covers('contents/config/platform.json') ? backup : now).variables,
  };
}

function expectedItems<Kind extends Items>(
  kind: Kind,
  { now, backup, choice }: { now: Contents; backup: Contents; choice: Choice },
): Contents[Kind] {
  if (choice.hasPart(kind)) {
    return backup[kind];
  }
  const chosen = [...backup[kind]].filter(([id]) => choice.covers(`contents/${kind}/${id}.json`));
  // The compiler cannot infer that both maps have the same kind.
  return new Map<string, unknown>([...now[kind], ...chosen]) as unknown as Contents[Kind];
}

interface States {
  source: BackupSource;
  choice: Choice;
  current: CurrentFiles;
}

/**
 * Paths that a restore leaves untouched although the backup does not contain them. They cannot be in a backup, or
 * could not be in this one. Files of the backup replace them.
 */
async function findUntouchedFiles({ source, choice, current }: States): Promise<Set<string>> {
  const missed = new Set(source.leftOut.map(({ path }) => path));
  const untouchedPaths = new Set<string>();
  const candidates = [
    ...current.leftOut.map(({ path }) => path),
    ...[...current.files.keys()].filter((path) => missed.size > 0 && isWithin(missed, path)),
  ];
  for (const path of candidates.filter((one) => choice.covers(one))) {
    const isReplaced =
      parentFolders(path).some((folder) => source.files.has(folder)) ||
      (await isThere(join(source.directory, path)));
    if (!isReplaced) {
      untouchedPaths.add(path);
    }
  }
  return untouchedPaths;
}

/** Explains for each path that is not, or cannot be, in the backup why, and whether it stays. */
function describeUntouchedFiles(
  untouchedPaths: ReadonlySet<string>,
  { source, current }: Pick<States, 'source' | 'current'>,
): string[] {
  const missed = new Set(source.leftOut.map(({ path }) => path));
  const untouched = new Set([...untouchedPaths].flatMap((path) => [path, ...parentFolders(path)]));
  const now = current.leftOut.filter(
    ({ path }) => untouchedPaths.has(path) && !isWithin(missed, path),
  );
  return [
    ...source.leftOut.map(({ path, message }) => {
      const stays = untouched.has(path) ? ' and stays as it is' : '';
      return `${path} is not in the backup${stays}: ${message}`;
    }),
    ...now.map(
      ({ path, message }) => `${path} cannot be in a backup and stays as it is: ${message}`,
    ),
  ];
}

function isWithin(paths: ReadonlySet<string>, path: string): boolean {
  return [path, ...parentFolders(path)].some((one) => paths.has(one));
}
