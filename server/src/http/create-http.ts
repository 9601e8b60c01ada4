import type { ContentIssue } from '@knowhow/shared/config/health';

import express, { type Express } from 'express';
import type { ConfigAdmin } from '../modules/admin/change-config.ts';
import type { SkillAdmin } from '../modules/admin/skill-admin.ts';
import { createTriggerRuns } from '../modules/admin/trigger-runs.ts';
import { createUploadCache, type UploadCache } from '../modules/admin/upload-cache.ts';
import type { AnswerDependencies } from '../modules/chat/answer-turn.ts';
import type { TurnObserver } from '../modules/chat/observe-turn.ts';
import type { Titles } from '../modules/chat/titles/write-titles.ts';
import type { TurnLimits } from '../modules/chat/turn-limits.ts';
import type { Folders } from '../modules/conversations/folders.ts';
import type { Shares } from '../modules/conversations/sharing/shares.ts';
import type { AccessAudit } from '../modules/identity/access-audit.ts';
import type { Accounts } from '../modules/identity/accounts.ts';
import type { ApiKeys } from '../modules/identity/api-keys.ts';
import type { Invitations } from '../modules/identity/invitations.ts';
import type { OwnSessions } from '../modules/identity/own-sessions.ts';
import { createPersonalDataStore } from '../modules/identity/personal-data-store.ts';
import type { Quotas } from '../modules/identity/quotas/quotas.ts';
import type { SecondFactors } from '../modules/identity/second-factors.ts';
import type { ServiceKeys } from '../modules/identity/service-keys.ts';
import type { SessionTokens } from '../modules/identity/session-tokens.ts';
import type { SignInAudit } from '../modules/identity/sign-in-audit.ts';
import type { Analytics } from '../modules/insights/analytics/analytics.ts';
import type { Telemetry } from '../modules/insights/telemetry/telemetry.ts';
import type { Traces } from '../modules/insights/traces/traces.ts';
import type { ProviderKeys } from '../modules/models/provider-keys.ts';
import type { Backups } from '../modules/operations/backups.ts';
import type { ScheduledBackups } from '../modules/operations/schedule-backups.ts';
import type { CallServices } from '../modules/tools/run-source-tool.ts';
import type { Cluster } from '../platform/cluster/cluster.ts';
import type { Log } from '../platform/lib/log.ts';
import type { Database } from '../platform/storage/open-database.ts';
import { compressResponses } from './compress-responses.ts';
import type { ProxiedDependencies } from './cookies/proxied-session.ts';
import { disconnectSlowReaders, readerTimeout } from './disconnect-slow-readers.ts';
import { createFailedLogins } from './failed-logins.ts';
import { identifyCallers } from './identify-callers.ts';
import { legacyRoutes } from './legacy-routes.ts';
import { bodyTimeout, limitBodyTime } from './limit-bodies.ts';
import { limitTurns } from './limit-turns.ts';
import { observeRequests } from './observe-requests.ts';
import { problemHandler, unknownRoute } from './problem-handler.ts';
import { assignRequestId } from './request-log-fields.ts';
import { requireValidHost } from './require-valid-host.ts';
import { accountRoutes } from './routes/account-routes.ts';
import { invitationRoutes } from './routes/admin/invitation-routes.ts';
import { providerKeyRoutes } from './routes/admin/provider-key-routes.ts';
import { serviceKeyRoutes } from './routes/admin/service-key-routes.ts';
import { usageRoutes } from './routes/admin/usage-routes.ts';
import { adminConfigRoutes } from './routes/admin-config-routes.ts';
import { adminRoutes } from './routes/admin-routes.ts';
import { adminSkillRoutes } from './routes/admin-skill-routes.ts';
import { adminToolRoutes } from './routes/admin-tool-routes.ts';
import { adminTryRoutes } from './routes/admin-try-routes.ts';
import { adminUserRoutes } from './routes/admin-user-routes.ts';
import { analyticsRoutes } from './routes/analytics-routes.ts';
import { authRoutes } from './routes/auth-routes.ts';
import { backupRoutes } from './routes/backup-routes.ts';
import { branchRoutes } from './routes/branch-routes.ts';
import { type CatalogueDependencies, catalogueRoutes } from './routes/catalogue-routes.ts';
import { chatRoutes } from './routes/chat-routes.ts';
import type { ConnectionDependencies } from './routes/connection-routes.ts';
import { conversationRoutes } from './routes/conversation-routes.ts';
import { embedRoutes } from './routes/embed-routes.ts';
import { exportRoutes } from './routes/export-routes.ts';
import { favouriteRoutes } from './routes/favourite-routes.ts';
import { fileRoutes } from './routes/file-routes.ts';
import { folderRoutes } from './routes/folder-routes.ts';
import { healthRoutes } from './routes/health-routes.ts';
import { importRoutes } from './routes/import-routes.ts';
import { mcpRoutes } from './routes/mcp-routes.ts';
import { metricsRoutes } from './routes/metrics-routes.ts';
import { openAiRoutes } from './routes/openai-routes.ts';
import { appVariableRoutes } from './routes/own/app-variable-routes.ts';
import { userPromptRoutes } from './routes/own/user-prompt-routes.ts';
import { sharingRoutes } from './routes/sharing-routes.ts';
import { adminSignInRoutes } from './routes/sign-in/admin-sign-in-routes.ts';
import { type OidcDependencies, oidcRoutes } from './routes/sign-in/oidc-routes.ts';
import { skillArchiveRoutes } from './routes/skill-archive-routes.ts';
import { skillFilesRoutes } from './routes/skill-files-routes.ts';
import { skillRoutes } from './routes/skill-routes.ts';
import { toolRoutes } from './routes/tool-routes.ts';
import { traceRoutes } from './routes/trace-routes.ts';
import { triggerRoutes } from './routes/trigger-routes.ts';
import { requireOwnOrigin, securityHeaders } from './security.ts';
import { serveApiDocs } from './serve-api-docs.ts';
import { serveClient } from './serve-client.ts';

export interface HttpDependencies
  extends AnswerDependencies,
    ConfigAdmin,
    ConnectionDependencies,
    OidcDependencies,
    ProxiedDependencies,
    Pick<CatalogueDependencies, 'promptServers' | 'resourceServers'> {
  callServices: CallServices;
  accounts: Accounts;
  apiKeys: ApiKeys;
  serviceKeys: ServiceKeys;
  ownSessions: OwnSessions;
  invitations: Invitations;
  providerKeys: ProviderKeys;
  secondFactors: SecondFactors;
  quotas: Quotas;
  signInAudit: SignInAudit;
  accessAudit: AccessAudit;
  skillAdmin: SkillAdmin;
  backups: Backups;
  scheduledBackups: ScheduledBackups | undefined;
  tokens: SessionTokens;
  cluster: Cluster;
  observers: readonly TurnObserver[];
  telemetry: Telemetry;
  analytics: Analytics;
  folders: Folders;
  titles: Titles;
  traces: Traces;
  shares: Shares;
  /** False until the account `admin` exists, with the password from the environment. */
  hasAdmin: () => boolean;
  database: Database;
  dataDirectory: string;
  log: Log;
  host: string;
  trustProxy: boolean | number | string;
  /** Default minutes without output from a model after which a turn times out. */
  turnIdleMinutes: number;
  /** Whether shutdown has begun: readiness probes fail, so that load balancers send no new requests. */
  isStopping: () => boolean;
  /** Default retention of traces, in days. */
  traceDays: number;
  /** The built client. */
  clientDirectory: string;
  version: string;
  /** Current warnings for the operator. */
  warnings: () => string[];
  /** Configuration issues: settings that are ignored, wholly or in part. */
  faults: () => ContentIssue[];
  /** Environment variables. */
  variables: Record<string, string | undefined>;
  modelHosts: readonly string[];
}

const defaultLimits = { requests: 1200, turns: 600, failedLogins: 10, streams: 100 };

/** The Express application. Middleware order matters. */
export function createHttp(dependencies: HttpDependencies): Express {
  const { contents, cluster, host, publicUrl, trustProxy, log } = dependencies;
  const limitOf = (kind: keyof typeof defaultLimits) => () =>
    contents().platform.rateLimit?.[kind] ?? defaultLimits[kind];
  const app = express();
  app.disable('x-powered-by');
  // `If-Match` takes a resource's own checksum, and browsers cache no API response.
  app.disable('etag');
  app.set('trust proxy', trustProxy);
  app.set('query parser', 'simple');
  // Enough for 4 MiB over a slow connection; uploads have their own minimum rate.
  app.set(bodyTimeout, 30_000);
  app.set(readerTimeout, 60_000);
  app.use(assignRequestId);
  app.use(observeRequests(dependencies));
  app.use(limitBodyTime);
  app.use(disconnectSlowReaders);
  app.use(securityHeaders(publicUrl));
  app.use(requireValidHost);
  const { isOn: isSignedInByProxy } = dependencies.proxySignIn;
  const behindProxy = trustProxy !== false;
  app.use(requireOwnOrigin({ host, publicUrl, behindProxy, isSignedInByProxy }));
  app.use(compressResponses());

  const router = express.Router();
  serveApiDocs(router, dependencies.version);
  router.use(legacyRoutes);
  identifyCallers(router, dependencies, limitOf('requests'));
  limitTurns(router, cluster, limitOf);
  healthRoutes(router, { ...dependencies, ...dependencies.skillAdmin });
  metricsRoutes(router, dependencies);
  const failedLogins = createFailedLogins(cluster, limitOf('failedLogins'));
  const uploads = createUploadCache();
  authRoutes(router, { ...dependencies, failedLogins, onSignOut: uploads.forget });
  oidcRoutes(router, dependencies);
  accountRoutes(router, { ...dependencies, failedLogins });
  embedRoutes(router, dependencies);
  catalogueRoutes(router, dependencies);
  appVariableRoutes(router, dependencies);
  userPromptRoutes(router, dependencies);
  skillRoutes(router, dependencies);
  favouriteRoutes(router, dependencies);
  serveConversations(router, dependencies);
  serveAdmin(router, dependencies, uploads);
  mcpRoutes(router, dependencies);
  router.use(['/api', '/v1'], unknownRoute);
  serveClient(router, dependencies);

  app.use(router);
  app.use(problemHandler(log, dependencies.accessAudit));
  return app;
}

/** Timeouts of a turn that no user stops. */
function turnLimits({ contents, turnIdleMinutes }: HttpDependencies): TurnLimits {
  const { idleMinutes = turnIdleMinutes, unreadMinutes = 0 } = contents().platform.turns ?? {};
  return { idleMinutes, unreadMinutes };
}

function serveConversations(router: express.Router, dependencies: HttpDependencies): void {
  const answering = {
    ...dependencies,
    personal: createPersonalDataStore(dependencies.database),
    takeTurn: dependencies.quotas.begin,
    turnLimits: () => turnLimits(dependencies),
  };
  chatRoutes(router, answering);
  openAiRoutes(router, {
    ...answering,
    // Only stored conversations have traces.
    observers: [dependencies.telemetry.observeTurn, dependencies.analytics.observe],
  });
  conversationRoutes(router, dependencies);
  folderRoutes(router, dependencies);
  branchRoutes(router, dependencies);
  sharingRoutes(router, dependencies);
  exportRoutes(router, dependencies);
  importRoutes(router, dependencies);
  toolRoutes(router, dependencies);
  fileRoutes(router, dependencies);
  traceRoutes(router, dependencies);
}

function serveAdmin(
  router: express.Router,
  dependencies: HttpDependencies,
  uploads: UploadCache,
): void {
  adminRoutes(router, dependencies);
  adminConfigRoutes(router, dependencies);
  adminUserRoutes(router, dependencies);
  serviceKeyRoutes(router, dependencies);
  usageRoutes(router, dependencies);
  adminSignInRoutes(router, dependencies);
  invitationRoutes(router, dependencies);
  providerKeyRoutes(router, dependencies);
  adminTryRoutes(router, dependencies);
  adminToolRoutes(router, dependencies);
  backupRoutes(router, dependencies);
  analyticsRoutes(router, dependencies);
  adminSkillRoutes(router, dependencies.skillAdmin, dependencies.analytics);
  skillArchiveRoutes(router, dependencies.skillAdmin, uploads);
  skillFilesRoutes(router, dependencies.skillAdmin);
  const runs = createTriggerRuns(dependencies.database);
  triggerRoutes(router, dependencies.skillAdmin, { ...dependencies, runs });
}
