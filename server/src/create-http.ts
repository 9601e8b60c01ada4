import type { ContentIssue } from '@knowhow/shared/config/health';

import express, { type Express } from 'express';
import { compressResponses } from './http/compress-responses.ts';
import type { ProxiedDependencies } from './http/cookies/proxied-session.ts';
import { disconnectSlowReaders, readerTimeout } from './http/disconnect-slow-readers.ts';
import { createFailedLogins } from './http/failed-logins.ts';
import { identifyCallers } from './http/identify-callers.ts';
import { legacyRoutes } from './http/legacy-routes.ts';
import { bodyTimeout, limitBodyTime } from './http/limit-bodies.ts';
import { limitTurns } from './http/limit-turns.ts';
import { observeRequests } from './http/observe-requests.ts';
import { problemHandler, unknownRoute } from './http/problem-handler.ts';
import { assignRequestId } from './http/request-log-fields.ts';
import { requireValidHost } from './http/require-valid-host.ts';
import { requireOwnOrigin, securityHeaders } from './http/security.ts';
import { serveApiDocs } from './http/serve-api-docs.ts';
import { serveClient } from './http/serve-client.ts';
import { adminConfigRoutes } from './modules/admin/routes/admin-config-routes.ts';
import { adminRoutes } from './modules/admin/routes/admin-routes.ts';
import { adminSkillRoutes } from './modules/admin/routes/admin-skill-routes.ts';
import { adminToolRoutes } from './modules/admin/routes/admin-tool-routes.ts';
import { adminTryRoutes } from './modules/admin/routes/admin-try-routes.ts';
import { skillArchiveRoutes } from './modules/admin/routes/skill-archive-routes.ts';
import { skillFilesRoutes } from './modules/admin/routes/skill-files-routes.ts';
import { triggerRoutes } from './modules/admin/routes/trigger-routes.ts';
import type { ConfigAdmin } from './modules/admin/settings/change-config.ts';
import type { SkillAdmin } from './modules/admin/skills/skill-admin.ts';
import { createUploadCache, type UploadCache } from './modules/admin/skills/upload-cache.ts';
import { createTriggerRuns } from './modules/admin/triggers/trigger-runs.ts';
import { fileRoutes } from './modules/attachments/routes/file-routes.ts';
import type { AnswerDependencies } from './modules/chat/answer-turn.ts';
import type { TurnObserver } from './modules/chat/observe-turn.ts';
import { chatRoutes } from './modules/chat/routes/chat-routes.ts';
import type { Titles } from './modules/chat/titles/write-titles.ts';
import type { TurnLimits } from './modules/chat/turn-limits.ts';
import { appVariableRoutes } from './modules/content/routes/app-variable-routes.ts';
import {
  type CatalogueDependencies,
  catalogueRoutes,
} from './modules/content/routes/catalogue-routes.ts';
import type { Folders } from './modules/conversations/folders.ts';
import { branchRoutes } from './modules/conversations/routes/branch-routes.ts';
import { conversationRoutes } from './modules/conversations/routes/conversation-routes.ts';
import { exportRoutes } from './modules/conversations/routes/export-routes.ts';
import { folderRoutes } from './modules/conversations/routes/folder-routes.ts';
import { importRoutes } from './modules/conversations/routes/import-routes.ts';
import { sharingRoutes } from './modules/conversations/routes/sharing-routes.ts';
import type { Shares } from './modules/conversations/sharing/shares.ts';
import { embedRoutes } from './modules/gateways/routes/embed-routes.ts';
import { mcpRoutes } from './modules/gateways/routes/mcp-routes.ts';
import { openAiRoutes } from './modules/gateways/routes/openai-routes.ts';
import type { AccessAudit } from './modules/identity/access-audit.ts';
import type { Accounts } from './modules/identity/accounts.ts';
import type { ApiKeys } from './modules/identity/api-keys.ts';
import type { Invitations } from './modules/identity/invitations.ts';
import type { OwnSessions } from './modules/identity/own-sessions.ts';
import { createPersonalDataStore } from './modules/identity/personal-data-store.ts';
import type { Quotas } from './modules/identity/quotas/quotas.ts';
import { accountRoutes } from './modules/identity/routes/account-routes.ts';
import { adminSignInRoutes } from './modules/identity/routes/admin-sign-in-routes.ts';
import { adminUserRoutes } from './modules/identity/routes/admin-user-routes.ts';
import { authRoutes } from './modules/identity/routes/auth-routes.ts';
import { favouriteRoutes } from './modules/identity/routes/favourite-routes.ts';
import { invitationRoutes } from './modules/identity/routes/invitation-routes.ts';
import { type OidcDependencies, oidcRoutes } from './modules/identity/routes/oidc-routes.ts';
import { serviceKeyRoutes } from './modules/identity/routes/service-key-routes.ts';
import { usageRoutes } from './modules/identity/routes/usage-routes.ts';
import { userPromptRoutes } from './modules/identity/routes/user-prompt-routes.ts';
import type { SecondFactors } from './modules/identity/second-factors.ts';
import type { ServiceKeys } from './modules/identity/service-keys.ts';
import type { SessionTokens } from './modules/identity/session-tokens.ts';
import type { SignInAudit } from './modules/identity/sign-in-audit.ts';
import type { Analytics } from './modules/insights/analytics/analytics.ts';
import { analyticsRoutes } from './modules/insights/routes/analytics-routes.ts';
import { metricsRoutes } from './modules/insights/routes/metrics-routes.ts';
import { traceRoutes } from './modules/insights/routes/trace-routes.ts';
import type { Telemetry } from './modules/insights/telemetry/telemetry.ts';
import type { Traces } from './modules/insights/traces/traces.ts';
import type { ProviderKeys } from './modules/models/provider-keys.ts';
import { providerKeyRoutes } from './modules/models/routes/provider-key-routes.ts';
import type { Backups } from './modules/operations/backups.ts';
import { backupRoutes } from './modules/operations/routes/backup-routes.ts';
import { healthRoutes } from './modules/operations/routes/health-routes.ts';
import type { ScheduledBackups } from './modules/operations/schedule-backups.ts';
import { skillRoutes } from './modules/skills/routes/skill-routes.ts';
import type { ConnectionDependencies } from './modules/tools/routes/connection-routes.ts';
import { toolRoutes } from './modules/tools/routes/tool-routes.ts';
import type { CallServices } from './modules/tools/run-source-tool.ts';
import type { Cluster } from './platform/cluster/cluster.ts';
import type { Log } from './platform/lib/log.ts';
import type { Database } from './platform/storage/open-database.ts';

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
