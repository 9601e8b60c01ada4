import type { Environment } from './env.ts';
import {
  createRunningTurns,
  createTitles,
  type RunningTurns,
  type Titles,
  type TurnObserver,
} from './modules/chat/index.ts';
import { type ContentStore, isSecretVariable } from './modules/content/index.ts';
import {
  type ConversationStore,
  createConversationStore,
  createFolders,
  type Folders,
  markInterrupted,
  routeByStorage,
  scheduleSkillExpiry,
  scheduleUnsent,
  type TemporaryBounds,
  temporaryBounds,
  temporaryBytes,
  withInterrupted,
} from './modules/conversations/index.ts';
import {
  type Analytics,
  createAnalytics,
  createTraces,
  type Traces,
} from './modules/insights/index.ts';
import type { ProviderKeys } from './modules/models/index.ts';
import type { SkillStore } from './modules/skills/index.ts';
import { type OpenTelemetry, openTelemetry } from './open-telemetry.ts';
import type { Cluster } from './platform/cluster/cluster.ts';
import type { Log } from './platform/lib/log.ts';
import { openMemoryDatabase } from './platform/storage/memory-database.ts';
import type { Database } from './platform/storage/open-database.ts';
import { tables } from './tables.ts';

interface Conversing {
  conversations: ConversationStore;
  runningTurns: RunningTurns;
  /** Called for each turn. */
  observers: readonly TurnObserver[];
  folders: Folders;
  titles: Titles;
  analytics: Analytics;
  traces: Traces;
  telemetry: OpenTelemetry;
  /** Temporary conversations in memory, also reachable through `conversations`. */
  temporary: { database: Database; bounds: TemporaryBounds };
  /** Aborts running turns, saves partial answers, and stops background jobs. */
  close(): Promise<void>;
}

interface Parts {
  cluster: Cluster;
  content: ContentStore;
  database: Database;
  skills: SkillStore;
  providerKeys: Pick<ProviderKeys, 'current'>;
  version: string;
  log: Log;
}

/**
 * Creates the conversation services and their observers, after marking answers interrupted by a
 * crash. Throws a `StartupError` like `openTelemetry`.
 */
export async function openConversations(
  environment: Environment,
  { cluster, database, ...parts }: Parts,
): Promise<Conversing> {
  const temporary = openTemporary();
  const runningTurns = createRunningTurns(cluster);
  const isAnswered = async (id: string) => (await runningTurns.find(id)) !== undefined;
  const conversations = routeByStorage(
    withInterrupted(createConversationStore(database), { database, isAnswered }),
    createConversationStore(temporary.database),
    temporary.bounds,
  );
  await cluster.atStart('conversations', () => conversations.recover(isAnswered));
  const marking = cluster.oneNode('interrupted answers', '* * * * *', () =>
    markInterrupted(database, isAnswered).catch((error: unknown) =>
      parts.log.error({ error }, 'marking interrupted answers failed'),
    ),
  );
  const contents = () => parts.content.current;
  const analytics = createAnalytics({ ...environment, cluster, database, contents, ...parts });
  const skillExpiry = await scheduleSkillExpiry({ cluster, database, contents, log: parts.log });
  const unsent = await scheduleUnsent({ cluster, database, log: parts.log });
  const telemetry = await openTelemetry(environment, { ...parts, runningTurns });
  const traces = createTraces({
    database,
    cluster,
    log: parts.log,
    secrets: () => secretsIn(environment.variables, parts.providerKeys.current()),
    days: () => contents().platform.traces.days ?? environment.traceDays,
  });
  const titles = createTitles({
    conversations,
    contents,
    log: parts.log,
    countUse: analytics.countUse,
  });
  const close = async () => {
    marking.stop();
    skillExpiry.stop();
    unsent.stop();
    await runningTurns.finish(0);
    await Promise.all([titles.close(), analytics.close(), traces.close()]);
    temporary.bounds.close();
    await temporary.database.destroy();
  };
  const observers = [telemetry.observeTurn, analytics.observe, traces.observe, titles.observe];
  const observing = { observers, titles, analytics, traces, telemetry };
  const folders = createFolders(database);
  return { conversations, folders, temporary, runningTurns, ...observing, close };
}

function openTemporary(): Conversing['temporary'] {
  const database = openMemoryDatabase(temporaryBytes.most, tables.migrations);
  return { database, bounds: temporaryBounds(database) };
}

/** Shorter values may occur in ordinary text. */
const minSecretLength = 8;

/** Includes stored keys that are overridden by the environment. */
function secretsIn(
  variables: Environment['variables'],
  entered: Readonly<Record<string, string>>,
): string[] {
  const named = Object.entries(variables).filter(([name]) => isSecretVariable(name));
  return [...named, ...Object.entries(entered)].flatMap(([, value = '']) =>
    value.length >= minSecretLength ? [value] : [],
  );
}
