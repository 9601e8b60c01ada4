import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ModelConfig } from '@knowhow/shared/models';
import type { Express } from 'express';
import { createAccounts } from './access/accounts.ts';
import { anonymousAllowed, isLoopbackHost } from './access/caller.ts';
import { createSessionTokens, newSessionSecret } from './access/session-tokens.ts';
import { createConversationStore } from './chat/conversation-store.ts';
import { createModelList, type ModelList } from './chat/model-list.ts';
import { createRunningTurns } from './chat/running-turns.ts';
import { type ContentStore, openContentStore } from './content/content-store.ts';
import type { Environment } from './env.ts';
import { createHttp } from './http/create-http.ts';
import type { Log } from './lib/log.ts';
import { type FolderWatch, watchFolders } from './lib/watch-folders.ts';
import { writeFileAtomic } from './lib/write-file-atomic.ts';
import type { AskModel } from './models/model.ts';
import { describeBroken } from './skills/describe-broken.ts';
import { type SkillSource, skillSources } from './skills/skill-source.ts';
import { openSkillStore, type SkillStore } from './skills/skill-store.ts';
import { openDatabase } from './storage/open-database.ts';

export interface AppDependencies {
  environment: Environment;
  log: Log;
  openModel: (config: ModelConfig, key: string | undefined) => AskModel;
  /** The power of two of bcrypt's work for a password. */
  passwordRounds: number;
  /** Models that run on this machine. */
  findModels: () => Promise<ModelConfig[]>;
}

export interface App {
  http: Express;
  models: ModelList;
  /** The password just made for `admin`, on the first start only. */
  newAdminPassword: string | undefined;
  /** Resolves when the skills have been read; requests are answered before that, too. */
  ready: Promise<void>;
  /** What an operator should know before letting people in. */
  warnings: string[];
  /** Stops running answers, stores what they have, and closes everything. */
  close(): Promise<void>;
}

const projectDirectory = fileURLToPath(new URL('../..', import.meta.url));

/** Puts the parts together: the only place that knows them all. */
export async function createApp(dependencies: AppDependencies): Promise<App> {
  const { environment, log, openModel, findModels } = dependencies;
  const [content, database] = await Promise.all([
    openContentStore(environment.contentsDirectory, environment.variables),
    openDatabase(environment.dataDirectory),
  ]);
  const contents = () => content.current;
  const [secret, found] = await Promise.all([
    sessionSecret(environment.dataDirectory),
    findModels(),
  ]);
  const sources = () => sourcesOf(environment, content);
  const skills = await openSkills(sources(), environment.skillsStrict);
  const conversations = createConversationStore(database);
  await conversations.markInterrupted();
  const accounts = createAccounts(database, dependencies.passwordRounds);
  const models = createModelList({
    contents,
    found: () => found,
    variables: environment.variables,
    openModel,
  });
  const runningTurns = createRunningTurns();
  const http = createHttp({
    ...environment,
    contents,
    skills,
    database,
    conversations,
    accounts,
    models,
    runningTurns,
    log,
    tokens: createSessionTokens(secret),
    clientDirectory: join(projectDirectory, 'client/dist'),
    version: readVersion(),
  });
  const watch = followContents(content, () => skills.setSources(sources()), log);
  return {
    http,
    models,
    ready: skills.scanned,
    newAdminPassword: await accounts.ensureAdmin(environment.adminPassword),
    warnings: warningsFor(environment, content),
    close: async () => {
      await runningTurns.stopAll();
      await watch.close();
      skills.close();
      await database.destroy();
    },
  };
}

/** With `strict`, a skill that cannot be offered stops the start. */
async function openSkills(sources: SkillSource[], strict: boolean): Promise<SkillStore> {
  const skills = openSkillStore(sources);
  if (!strict) {
    return skills;
  }
  await skills.scanned;
  const broken = describeBroken(skills.snapshot);
  if (broken.length > 0) {
    skills.close();
    throw new StartProblem(['SKILLS_STRICT is set, and skills are broken:', ...broken].join('\n'));
  }
  return skills;
}

/** Why the server does not start, for the operator to read. */
export class StartProblem extends Error {}

function sourcesOf(environment: Environment, { current }: ContentStore): SkillSource[] {
  const { contentsDirectory, skillsExtraDirectories } = environment;
  return skillSources(current.skills, contentsDirectory, skillsExtraDirectories);
}

/** Keeps the configuration as it is on disk; what depends on it is told after each change. */
function followContents(content: ContentStore, onChange: () => void, log: Log): FolderWatch {
  tellFaults(content, log);
  const reload = async () => {
    await content.reload();
    onChange();
    tellFaults(content, log);
  };
  return watchFolders(content.folders, () => void reload(), { log });
}

/** 32 random bytes that sign sessions, made on the first start. */
async function sessionSecret(dataDirectory: string): Promise<Buffer> {
  const path = join(dataDirectory, 'session.key');
  const known = await readFile(path).catch(() => undefined);
  if (known?.length === 32) {
    return known;
  }
  const secret = newSessionSecret();
  await writeFileAtomic(path, secret, 0o600);
  return secret;
}

function readVersion(): string {
  const text = readFileSync(join(projectDirectory, 'package.json'), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}

function tellFaults({ current }: ContentStore, log: Log): void {
  for (const { path, field, message } of current.faults) {
    log.warn({ path, field }, `${path}${field ? `, field ${field}` : ''}: ${message}`);
  }
}

function warningsFor({ host }: Environment, { current }: ContentStore): string[] {
  return !isLoopbackHost(host) && anonymousAllowed(current, host)
    ? [`Anyone who reaches ${host} may chat without signing in (anonymousAuth in platform.json).`]
    : [];
}
