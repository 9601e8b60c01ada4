import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { isAbsolute, join, resolve } from 'node:path';
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
import { watchFolders } from './lib/watch-folders.ts';
import { writeFileAtomic } from './lib/write-file-atomic.ts';
import type { AskModel } from './models/model.ts';
import { openSkillStore } from './skills/skill-store.ts';
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
  const [skills, secret, found] = await Promise.all([
    openSkillStore(skillsDirectory(environment, content)),
    sessionSecret(environment.dataDirectory),
    findModels(),
  ]);
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
  tellFaults(content, log);
  const watches = [
    watchFolders(
      content.folders,
      () => void content.reload().then(() => tellFaults(content, log)),
      { log },
    ),
    watchFolders(skills.folders, () => void skills.reload(), { log }),
  ];
  return {
    http,
    models,
    newAdminPassword: await accounts.ensureAdmin(environment.adminPassword),
    warnings: warningsFor(environment, content),
    close: async () => {
      await runningTurns.stopAll();
      await Promise.all(watches.map((watch) => watch.close()));
      await database.destroy();
    },
  };
}

/** `settings.skillsDirectory`, whose default is written relative to the parent of `contents/`. */
function skillsDirectory({ contentsDirectory }: Environment, { current }: ContentStore): string {
  const configured = current.skills.settings?.skillsDirectory ?? 'contents/skills';
  return isAbsolute(configured)
    ? configured
    : resolve(contentsDirectory, configured.replace(/^contents(?:\/|$)/, './'));
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
