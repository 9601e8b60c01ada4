import type { Contents } from './modules/content/index.ts';
import {
  type AccessAudit,
  type Accounts,
  type ApiKeys,
  type AuthenticatorDependencies,
  createAccessAudit,
  createAccounts,
  createApiKeys,
  createAuthenticators,
  createInvitations,
  createOwnSessions,
  createQuotas,
  createSecondFactors,
  createServiceKeys,
  createSessionCache,
  createSessionCookies,
  createSessionTokens,
  createSignInAudit,
  getSessionLimits,
  type Invitations,
  isSignInRefusal,
  type OidcSignIn,
  type OwnSessions,
  openOidc,
  openProxySignIn,
  type Passwords,
  type ProxySignIn,
  type Quotas,
  type SecondFactors,
  type ServiceKeys,
  type SessionCache,
  type SessionCookies,
  type SessionTokens,
  type SignInAudit,
} from './modules/identity/index.ts';
import type { OpenServers } from './open-servers.ts';
import type { Cluster } from './platform/cluster/cluster.ts';
import type { Authenticator } from './platform/http/authenticator.ts';
import type { RecordDenial } from './platform/http/problem-handler.ts';
import type { Log } from './platform/lib/log.ts';
import { logFailure } from './platform/lib/log-failure.ts';
import { type AuditedChange, type AuditLog, createAuditLog } from './platform/storage/audit-log.ts';
import type { Database } from './platform/storage/open-database.ts';

interface OpenAccounts {
  accounts: Accounts;
  apiKeys: ApiKeys;
  serviceKeys: ServiceKeys;
  ownSessions: OwnSessions;
  invitations: Invitations;
  secondFactors: SecondFactors;
  quotas: Quotas;
  audit: AuditLog;
  signInAudit: SignInAudit;
  accessAudit: AccessAudit;
  oidc: OidcSignIn;
  proxySignIn: ProxySignIn;
  tokens: SessionTokens;
  sessionCookies: SessionCookies;
  sessionCache: SessionCache;
  authenticators: readonly Authenticator[];
  recordDenial: RecordDenial;
  /** See `App.makeAdmin`. */
  makeAdmin(password: string | undefined): Promise<string | undefined>;
  /** Whether `makeAdmin` has completed since startup. */
  hasAdmin(): boolean;
  /** Call before closing the database. */
  close(): Promise<void>;
}

interface Dependencies extends Pick<AuthenticatorDependencies, 'host' | 'trustProxy'> {
  database: Database;
  contents: () => Contents;
  log: Log;
  passwords: Passwords;
  /** The process environment. */
  variables: Record<string, string | undefined>;
  /** A 32-byte key that encrypts stored secrets. */
  key: Buffer;
  /** Signs sessions. */
  secret: Buffer;
  publicUrl: string | undefined;
  servers: Pick<OpenServers, 'toProviders'>;
  cluster: Cluster;
}

/** Creates the services for accounts, sessions and permissions. */
export function openAccounts(dependencies: Dependencies): OpenAccounts {
  const { database, contents, log, passwords, servers, cluster } = dependencies;
  const sessionLimits = () => getSessionLimits(contents().platform);
  const audit = openAudit(database, log);
  const { toProviders: fetch } = servers;
  const signInAudit = createSignInAudit(audit);
  const accessAudit = createAccessAudit(audit);
  const quotas = createQuotas(dependencies);
  const sessionCache = createSessionCache(cluster);
  const accounts = createAccounts({ database, passwords, sessionLimits, sessionCache });
  const signIn = { ...dependencies, sessionCache, signInAudit, fetch };
  const oidc = openOidc({ ...signIn, sessionLimits });
  const apiKeys = createApiKeys(database);
  const serviceKeys = createServiceKeys(database, contents);
  const proxySignIn = openProxySignIn(signIn);
  const tokens = createSessionTokens(dependencies.secret);
  const sessionCookies = createSessionCookies(tokens, dependencies.publicUrl);
  const renewing = cluster.oneNode('sign-ins', '* * * * *', (lost) =>
    oidc.renew(lost).catch((error: unknown) => log.error({ error }, 'renewing sign-ins failed')),
  );
  let hasAdmin = false;
  return {
    accounts,
    apiKeys,
    serviceKeys,
    ownSessions: createOwnSessions({ database, sessionLimits, sessionCache }),
    invitations: createInvitations(database, contents),
    secondFactors: createSecondFactors(dependencies),
    quotas,
    audit,
    signInAudit,
    accessAudit,
    oidc,
    proxySignIn,
    tokens,
    sessionCookies,
    sessionCache,
    authenticators: createAuthenticators({
      ...dependencies,
      accounts,
      apiKeys,
      serviceKeys,
      oidc,
      proxySignIn,
      sessionCookies,
    }),
    recordDenial: async (denied, known) => {
      // A refused sign-in has its own entry.
      if (!isSignInRefusal(known)) {
        await accessAudit.denied(denied);
      }
    },
    makeAdmin: async (password) => {
      const made = await accounts.ensureAdmin(password);
      hasAdmin = true;
      return made;
    },
    hasAdmin: () => hasAdmin,
    close: async () => {
      renewing.stop();
      const audits = [signInAudit.flush(), accessAudit.flush()];
      await Promise.all([passwords.close(), quotas.close(), ...audits]);
    },
  };
}

/** If an audit write fails, the entries are logged instead. */
function openAudit(database: Database, log: Log): AuditLog {
  const audit = createAuditLog(database);
  const recordAll = (changes: AuditedChange[]) => audit.record(...changes);
  const record = logFailure(recordAll, log, 'writing to the audit log failed');
  return {
    ...audit,
    record: (...changes) => record(changes),
    keepNewest: logFailure(audit.keepNewest, log, 'pruning the audit log failed'),
  };
}
