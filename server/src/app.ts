import { join } from 'node:path';
import type { ContentFault } from '@knowhow/shared/config/health';
import type { ModelConfig } from '@knowhow/shared/config/models';
import type { Express } from 'express';
import type { Accounts } from './access/accounts.ts';
import { providerFaults } from './access/oidc/oidc-providers.ts';
import type { Passwords } from './access/passwords.ts';
import { createSessionTokens } from './access/session-tokens.ts';
import { createUserAdmin, type UserAdmin } from './access/user-admin.ts';
import { modelFaults } from './chat/model-faults.ts';
import { createModelList, type ModelList } from './chat/model-list.ts';
import { closeAll } from './close-all.ts';
import type { Cluster } from './cluster/cluster.ts';
import type { ContentStore } from './content/content-store.ts';
import type { Contents } from './content/contents.ts';
import { invalidAppIcons } from './content/invalid-app-icons.ts';
import { unknownGroups } from './content/named-groups.ts';
import { unresolvedPlaceholders } from './content/unresolved-placeholders.ts';
import { unusedSettings } from './content/unused-settings.ts';
import { type ContentWriter, createContentWriter } from './content/write-contents.ts';
import { createShares } from './conversations/sharing/shares.ts';
import type { Environment } from './env.ts';
import { createHttp } from './http/create-http.ts';
import type { Log } from './lib/log.ts';
import { logOnce } from './lib/log-once.ts';
import { type FolderWatch, watchFolders } from './lib/watch-folders.ts';
import type { AskModel } from './models/model.ts';
import { openAccounts } from './open-accounts.ts';
import { openBackups, openSchedule } from './open-backups.ts';
import { openConversations } from './open-conversations.ts';
import { type OpenRunner, openRunner } from './open-runner.ts';
import { type OpenServers, openServers } from './open-servers.ts';
import { type OpenSkills, openSkills } from './open-skills.ts';
import { type OpenStores, openStores } from './open-stores.ts';
import type { OpenTelemetry } from './open-telemetry.ts';
import { openTools } from './open-tools.ts';
import { projectDirectory, readVersion } from './project.ts';
import type { SkillSource } from './skill-store/skill-source.ts';
import { describeFault } from './source-faults.ts';
import { startWarnings } from './start-warnings.ts';
import type { AuditLog } from './storage/audit-log.ts';
import { type InstallationLock, lockInstallation } from './storage/lock-installation.ts';
import type { Database } from './storage/open-database.ts';
import type { ToolSource } from './tools/tool-source.ts';

export interface AppDependencies {
  environment: Environment;
  log: Log;
  openModel: (config: ModelConfig, key: string | undefined) => AskModel;
  /** Closed with the app. */
  passwords: Passwords;
  /** The folder of the skills that the product brings, where there is one. */
  builtinSkills?: string | undefined;
  /** Where skills come from beside folders. */
  skillSources?: readonly SkillSource[];
  /** Where tools come from beside our own. */
  toolSources?: readonly ToolSource[];
  cluster?: Cluster | undefined;
  /** Models that run on this machine. */
  findModels: () => Promise<ModelConfig[]>;
}

export interface App {
  http: Express;
  models: ModelList;
  /** On the first start makes the account `admin`; resolves to the password that was made for it. */
  makeAdmin(): Promise<string | undefined>;
  /** Resolves when the skills have been read; requests are answered before that, too. */
  ready: Promise<void>;
  /** What an operator should know before letting people in. */
  warnings: string[];
  telemetry: OpenTelemetry;
  /** Makes `/api/ready` say 503; requests are answered as before. */
  announceStop(): void;
  /** Lets running answers end, and stops those that have not after `graceMs`; begins none any more. */
  finishTurns(graceMs: number): Promise<void>;
  /** Stops running answers, stores what they have, and closes everything. */
  close(): Promise<void>;
}

/** Puts the parts together, once the data folder and the database are ours alone. */
export async function createApp(dependencies: AppDependencies): Promise<App> {
  const { environment, log } = dependencies;
  const onLost = () =>
    log.warn('the connection that locks the database is broken: it is taken again');
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

/** The only place that knows all the parts. */
async function openApp(dependencies: AppDependencies, lock: InstallationLock): Promise<App> {
  const { environment, log, findModels, openModel } = dependencies;
  const version = readVersion();
  const [stores, found, scripts] = await Promise.all([
    openStores(environment, { ...dependencies, lock, version }),
    findModels(),
    openRunner(environment, log),
  ]);
  const { cluster, content, database, secret, key, providerKeys, writeFiles, onSkills } = stores;
  const contents = () => content.current;
  const servers = openServers(environment, { cluster, content, database, log, version, key });
  const storing = { cluster, content, database, log, providerKeys, version, servers, writeFiles };
  const opened = await openSkills(environment, { ...dependencies, ...storing, key, onSkills });
  scripts.follow(opened.skills, contents);
  const shared = { ...storing, skills: opened.skills, withLock: lockConfiguration(cluster) };
  const conversing = await openConversations(environment, shared);
  const people = openAccounts({ ...dependencies, ...environment, ...storing, contents, key });
  const keys = providerKeys.sources;
  const models = createModelList({ keys, contents, found: () => found, openModel });
  const admin = openAdmin(environment, { ...shared, ...people });
  const tooled = { ...shared, ...people, ...opened, ...conversing, scripts };
  const callServices = openTools({ ...dependencies, ...tooled });
  const backups = openBackups(environment, { ...shared, opened, files: stores.shared });
  const scheduledBackups = await openSchedule(environment, { backups, cluster, log });
  const ownFaults = () => configurationFaults(content.current, scripts, environment);
  let isStopping = false;
  const http = createHttp({
    isStopping: () => isStopping,
    ...environment,
    ...shared,
    ...{ contents, ranking: opened.ranking, models, backups, scheduledBackups },
    ...{ ...conversing, ...people, ...servers.forUsers, callServices },
    ...{ tokens: createSessionTokens(secret), shares: createShares(database, secret) },
    clientDirectory: join(projectDirectory, 'client/dist'),
    warnings: () => startWarnings(environment, content, scripts),
    faults: () => [...ownFaults(), ...opened.sourceFaults(), ...modelFaults(models)],
    ...admin,
    skillAdmin: {
      ...{ contents, scripts, sizeLimits: environment.sizeLimits },
      ...opened,
      ...admin,
      toolNames: callServices.toolbox.names,
    },
  });
  const closed = { conversing, people, scheduledBackups, servers, opened, scripts, stores };
  const watch = followContents(stores, { opened, servers, ...admin, faults: ownFaults, log });
  return {
    http,
    models,
    ready: opened.skills.scanned,
    makeAdmin: () => cluster.atStart('admin', () => people.makeAdmin(environment.adminPassword)),
    warnings: startWarnings(environment, content, scripts),
    telemetry: conversing.telemetry,
    announceStop: () => {
      isStopping = true;
    },
    finishTurns: conversing.runningTurns.finish,
    close: () => closeAll({ ...closed, watch }),
  };
}

interface Stores {
  content: ContentStore;
  database: Database;
  accounts: Accounts;
  audit: AuditLog;
  withLock: WithLock;
  writeFiles: WithLock;
}

/** One change of people and configuration runs at a time, so that somebody stays admin. */
type WithLock = <Result>(run: () => Promise<Result>) => Promise<Result>;

function lockConfiguration(cluster: Cluster): WithLock {
  return (run) => cluster.withLock('configuration', run);
}

/** What changes people and configuration. */
function openAdmin(
  { contentsDirectory, dataDirectory }: Environment,
  { content, database, accounts, audit, withLock, writeFiles }: Stores,
): { userAdmin: UserAdmin; contentWriter: ContentWriter; audit: AuditLog } {
  const contents = () => content.current;
  const userAdmin = createUserAdmin({ database, accounts, contents, withLock });
  const { checkGroups } = userAdmin;
  const folders = { directory: contentsDirectory, dataDirectory };
  return {
    userAdmin,
    contentWriter: createContentWriter({ content, ...folders, withLock, writeFiles, checkGroups }),
    audit,
  };
}

interface Following {
  opened: OpenSkills;
  servers: OpenServers;
  contentWriter: ContentWriter;
  faults: () => ContentFault[];
  log: Log;
}

/**
 * Keeps the configuration as it is on disk; what depends on it is notified after each change. Never reads it
 * in the middle of a change of ours.
 */
function followContents(
  { content, shared }: Pick<OpenStores, 'content' | 'shared'>,
  { opened, servers, contentWriter, faults, log }: Following,
): FolderWatch {
  const logLines = logOnce(log, 'files and fields of the configuration have faults');
  const logFaults = () => logLines(faults().map(describeFault));
  logFaults();
  const logFailure = (error: unknown) => log.error({ error }, 'a change cannot be put back');
  const notify = () => {
    servers.mcp.follow();
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

/** What of the configuration is not used, wholly or in part. */
function configurationFaults(
  contents: Contents,
  { runner }: OpenRunner,
  { variables }: Environment,
): ContentFault[] {
  const { faults, unfilled, skills, apps, platform } = contents;
  const signIn = providerFaults(platform, variables);
  const unused = unusedSettings(skills, runner !== undefined);
  const looks = [...unresolvedPlaceholders({ apps }), ...invalidAppIcons({ apps })];
  return [...faults, ...unfilled, ...unused, ...looks, ...signIn, ...unknownGroups(contents)];
}
