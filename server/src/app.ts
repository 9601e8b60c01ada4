import { join } from 'node:path';
import type { ContentIssue } from '@knowhow/shared/config/health';
import type { ModelConfig } from '@knowhow/shared/config/models';
import type { Express } from 'express';
import { closeAll } from './close-all.ts';
import type { Environment } from './env.ts';
import { createUploadCache } from './modules/admin/index.ts';
import {
  createModelList,
  findModelIssues,
  getTurnLimits,
  type ModelList,
} from './modules/chat/index.ts';
import {
  type ContentStore,
  type Contents,
  type ContentWriter,
  createContentWriter,
  findEmbedders,
  invalidAppIcons,
  unknownGroups,
  unresolvedPlaceholders,
  unusedSettings,
} from './modules/content/index.ts';
import { createShares } from './modules/conversations/index.ts';
import { toOpenAiError } from './modules/gateways/index.ts';
import {
  type Accounts,
  createPersonalDataStore,
  createUserAdmin,
  type Passwords,
  providerFaults,
  type UserAdmin,
} from './modules/identity/index.ts';
import type { AskModel } from './modules/models/index.ts';
import { createDraftTests, type DraftTests, type SkillSource } from './modules/skills/index.ts';
import type { ToolSource } from './modules/tools/index.ts';
import { modules, type Services } from './modules.ts';
import { openAccounts } from './open-accounts.ts';
import { openBackups, openSchedule } from './open-backups.ts';
import { openConversations } from './open-conversations.ts';
import { openGit } from './open-git.ts';
import { type OpenRunner, openRunner } from './open-runner.ts';
import { type OpenServers, openServers } from './open-servers.ts';
import { openSkillBin } from './open-skill-bin.ts';
import { type OpenSkills, openSkills } from './open-skills.ts';
import { type OpenStores, openStores } from './open-stores.ts';
import type { OpenTelemetry } from './open-telemetry.ts';
import { openTools } from './open-tools.ts';
import { openTriggers } from './open-triggers.ts';
import type { Cluster } from './platform/cluster/cluster.ts';
import { createHttp, type HttpServices, rateLimitOf } from './platform/http/create-http.ts';
import { createFailedLogins } from './platform/http/failed-logins.ts';
import type { ProblemFormat } from './platform/http/problem-handler.ts';
import type { Log } from './platform/lib/log.ts';
import { logOnce } from './platform/lib/log-once.ts';
import { type FolderWatch, watchFolders } from './platform/lib/watch-folders.ts';
import type { AuditLog } from './platform/storage/audit-log.ts';
import { type InstallationLock, lockInstallation } from './platform/storage/lock-installation.ts';
import type { Database } from './platform/storage/open-database.ts';
import { projectDirectory, readVersion } from './project.ts';
import { describeSourceIssue } from './source-issues.ts';
import { startWarnings } from './start-warnings.ts';

export interface AppDependencies {
  environment: Environment;
  log: Log;
  openModel: (config: ModelConfig, key: string | undefined) => AskModel;
  /** Closed together with the app. */
  passwords: Passwords;
  /** Folder of the built-in skills, if any. */
  builtinSkills?: string | undefined;
  /** Additional sources of skills. */
  skillSources?: readonly SkillSource[];
  /** Additional sources of tools. */
  toolSources?: readonly ToolSource[];
  cluster?: Cluster | undefined;
  /** Detects models that run on this machine. */
  findModels: () => Promise<ModelConfig[]>;
}

export interface App {
  http: Express;
  models: ModelList;
  /** Creates the account `admin` on the first start; resolves with its generated password. */
  makeAdmin(): Promise<string | undefined>;
  /** Resolves once skills are loaded; requests are served before that. */
  ready: Promise<void>;
  /** Warnings for the operator at startup. */
  warnings: string[];
  telemetry: OpenTelemetry;
  /** Makes `/api/ready` return 503; other requests are still served. */
  announceStop(): void;
  /**
   * Graceful shutdown: starts no more turns, lets running ones finish, and aborts them after
   * `graceMs`.
   */
  finishTurns(graceMs: number): Promise<void>;
  /** Aborts running turns, saves partial answers, and closes everything. */
  close(): Promise<void>;
}

/** Creates the app after locking the data folder and the database. */
export async function createApp(dependencies: AppDependencies): Promise<App> {
  const { environment, log } = dependencies;
  const onLost = () => log.warn('lost the connection that holds the database lock; reconnecting');
  const lock = await lockInstallation(environment, { mayShare: true, onLost });
  try {
    const app = await openApp(dependencies, lock);
    const close = async () => {
      try {
        await app.close();
      } finally {
        try {
          await app.telemetry.close();
        } finally {
          await lock.release();
        }
      }
    };
    return { ...app, close };
  } catch (error) {
    await lock.release();
    throw error;
  }
}

/** The composition root. */
async function openApp(dependencies: AppDependencies, lock: InstallationLock): Promise<App> {
  const { environment, log, findModels, openModel } = dependencies;
  const version = readVersion();
  const [stores, found, scripts] = await Promise.all([
    openStores(environment, { ...dependencies, lock, version }),
    findModels(),
    openRunner(environment, log),
  ]);
  const { cluster, content, database, secret, key, providerKeys, writeFiles } = stores;
  const contents = () => content.current;
  const servers = openServers(environment, { cluster, content, database, log, version, key });
  const storing = { cluster, content, database, log, providerKeys, version, servers, writeFiles };
  const opened = await openSkills(environment, { ...dependencies, ...stores, ...storing });
  scripts.follow(opened.skills, contents);
  const shared = { ...storing, skills: opened.skills, withLock: lockConfiguration(cluster) };
  const conversationServices = await openConversations(environment, shared);
  const keyed = { ...dependencies, ...environment, ...storing, contents, key, secret };
  const people = openAccounts(keyed);
  people.sessionCache.follow(opened.usersChanged);
  const keys = providerKeys.sources;
  const models = createModelList({ keys, contents, found: () => found, openModel });
  const admin = openAdmin(environment, { ...shared, ...people });
  const tooled = { ...shared, ...people, ...opened, ...conversationServices, scripts };
  const callServices = openTools({ ...dependencies, ...tooled });
  const backups = openBackups(environment, { ...shared, ...people, opened, files: stores.shared });
  const scheduledBackups = await openSchedule(environment, { backups, cluster, log });
  const ownFaults = () => configurationFaults(content.current, scripts, environment);
  let isStopping = false;
  const uploads = createUploadCache();
  const toolNames = callServices.toolbox.names;
  const administering = { ...tooled, ...admin, contents, toolNames };
  const sources = await openGit(environment, administering);
  const triggers = await openTriggers(environment, { ...administering, models });
  const { analytics, telemetry } = conversationServices;
  const services: Services & HttpServices = {
    isStopping: () => isStopping,
    ...environment,
    ...tooled,
    contents,
    ...servers.forUsers,
    ...admin,
    models,
    backups,
    scheduledBackups,
    callServices,
    toolNames,
    shares: createShares(database, secret),
    personalData: createPersonalDataStore(database),
    programObservers: [telemetry.observeTurn, analytics.observe],
    turnLimits: () => getTurnLimits(contents(), environment.turnIdleMinutes),
    failedLogins: createFailedLogins(cluster, rateLimitOf(contents, 'failedLogins')),
    uploads,
    ...sources,
    onSignOut: uploads.forget,
    ...triggers,
    problemFormats,
    embedders: (id) => findEmbedders(contents().apps, id),
    clientDirectory: join(projectDirectory, 'client/dist'),
    warnings: () => startWarnings(environment, content, scripts),
    faults: () => [
      ...ownFaults(),
      ...opened.sourceFaults(),
      ...findModelIssues(models),
      ...sources.sourceFaults(),
      ...triggers.triggerSchedule.faults(),
    ],
  };
  const http = createHttp(modules, services);
  const jobs = { ...sources, ...triggers, scheduledBackups, skillBin: openSkillBin(administering) };
  const closed = { ...jobs, people, servers, opened, scripts, stores };
  const watch = followContents(stores, { opened, servers, ...admin, faults: ownFaults, log });
  return {
    http,
    models,
    ready: opened.skills.scanned,
    makeAdmin: () => cluster.atStart('admin', () => people.makeAdmin(environment.adminPassword)),
    warnings: startWarnings(environment, content, scripts),
    telemetry: conversationServices.telemetry,
    announceStop: () => {
      isStopping = true;
    },
    finishTurns: conversationServices.runningTurns.finish,
    close: () => closeAll({ ...closed, conversing: conversationServices, watch }),
  };
}

/** OpenAI clients parse errors as JSON; git shows texts. */
const problemFormats: readonly ProblemFormat[] = [
  {
    path: '/v1/',
    type: 'application/json',
    describe: (known) => JSON.stringify(toOpenAiError(known)),
  },
  { path: '/git/', type: 'text/plain', describe: ({ message }) => `${message}\n` },
];

interface Stores {
  content: ContentStore;
  database: Database;
  accounts: Accounts;
  audit: AuditLog;
  withLock: WithLock;
  writeFiles: WithLock;
}

/** Serializes changes of users and configuration, so that an administrator always remains. */
type WithLock = <Result>(run: () => Promise<Result>) => Promise<Result>;

function lockConfiguration(cluster: Cluster): WithLock {
  return (run) => cluster.withLock('configuration', run);
}

/** Services that change users and configuration. */
function openAdmin(
  { contentsDirectory, dataDirectory }: Environment,
  { content, database, accounts, audit, withLock, writeFiles }: Stores,
): {
  userAdmin: UserAdmin;
  contentWriter: ContentWriter;
  audit: AuditLog;
  draftTests: DraftTests;
} {
  const contents = () => content.current;
  const userAdmin = createUserAdmin({ database, accounts, contents, withLock });
  const { checkGroups } = userAdmin;
  const folders = { directory: contentsDirectory, dataDirectory };
  return {
    userAdmin,
    contentWriter: createContentWriter({ content, ...folders, withLock, writeFiles, checkGroups }),
    audit,
    draftTests: createDraftTests(database),
  };
}

interface Following {
  opened: OpenSkills;
  servers: OpenServers;
  contentWriter: ContentWriter;
  faults: () => ContentIssue[];
  log: Log;
}

/**
 * Watches the configuration on disk and notifies its consumers of changes. Never reloads during a
 * change of our own.
 */
function followContents(
  { content, shared }: Pick<OpenStores, 'content' | 'shared'>,
  { opened, servers, contentWriter, faults, log }: Following,
): FolderWatch {
  const logLines = logOnce(log, 'files and fields of the configuration are invalid');
  const logFaults = () => logLines(faults().map(describeSourceIssue));
  logFaults();
  const logFailure = (error: unknown) => log.error({ error }, 'a change cannot be reverted');
  const notify = () => {
    servers.mcp.applyConfiguration();
    opened.followSources();
    logFaults();
  };
  const reload = async () => {
    await shared?.check();
    await contentWriter.reload();
    notify();
  };
  shared?.follow(async () => {
    await content.reload();
    notify();
    await opened.skills.refresh();
  });
  return watchFolders(content.folders, () => reload().catch(logFailure), { log });
}

/** Parts of the configuration that are invalid or have no effect. */
function configurationFaults(
  contents: Contents,
  { runner }: OpenRunner,
  { variables }: Environment,
): ContentIssue[] {
  const { faults, unfilled, skills, apps, platform } = contents;
  const signIn = providerFaults(platform, variables);
  const unused = unusedSettings(skills, runner !== undefined);
  const appIssues = [...unresolvedPlaceholders({ apps }), ...invalidAppIcons({ apps })];
  return [...faults, ...unfilled, ...unused, ...appIssues, ...signIn, ...unknownGroups(contents)];
}
