import { type AccessAudit, createAccessAudit } from './access/access-audit.ts';
import { type Accounts, createAccounts } from './access/accounts.ts';
import { type ApiKeys, createApiKeys } from './access/api-keys.ts';
import { createInvitations, type Invitations } from './access/invitations.ts';
import { type OidcSignIn, openOidc } from './access/oidc/open-oidc.ts';
import { createOwnSessions, type OwnSessions } from './access/own-sessions.ts';
import type { Passwords } from './access/passwords.ts';
import { openProxySignIn, type ProxySignIn } from './access/proxy/proxy-sign-in.ts';
import { createQuotas, type Quotas } from './access/quotas/quotas.ts';
import { createSecondFactors, type SecondFactors } from './access/second-factors.ts';
import { createServiceKeys, type ServiceKeys } from './access/service-keys.ts';
import { getSessionLimits } from './access/sessions.ts';
import { createSignInAudit, type SignInAudit } from './access/sign-in-audit.ts';
import type { Cluster } from './cluster/cluster.ts';
import type { Contents } from './content/contents.ts';
import type { Log } from './lib/log.ts';
import { logFailure } from './lib/log-failure.ts';
import type { OpenServers } from './open-servers.ts';
import { type AuditLog, createAuditLog } from './storage/audit-log.ts';
import type { Database } from './storage/open-database.ts';

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
  /** See `App.makeAdmin`. */
  makeAdmin(password: string | undefined): Promise<string | undefined>;
  /** Whether `makeAdmin` has completed since startup. */
  hasAdmin(): boolean;
  /** Call before closing the database. */
  close(): Promise<void>;
}

interface Dependencies {
  database: Database;
  contents: () => Contents;
  log: Log;
  passwords: Passwords;
  /** The process environment. */
  variables: Record<string, string | undefined>;
  /** A 32-byte key that encrypts stored secrets. */
  key: Buffer;
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
  const accounts = createAccounts({ database, passwords, sessionLimits });
  const oidc = openOidc({ ...dependencies, sessionLimits, signInAudit, fetch });
  const renewing = cluster.oneNode('sign-ins', '* * * * *', (lost) =>
    oidc.renew(lost).catch((error: unknown) => log.error({ error }, 'renewing sign-ins failed')),
  );
  let hasAdmin = false;
  return {
    accounts,
    apiKeys: createApiKeys(database),
    serviceKeys: createServiceKeys(database, contents),
    ownSessions: createOwnSessions(database, sessionLimits),
    invitations: createInvitations(database, contents),
    secondFactors: createSecondFactors(dependencies),
    quotas,
    audit,
    signInAudit,
    accessAudit,
    oidc,
    proxySignIn: openProxySignIn({ ...dependencies, signInAudit, fetch }),
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

/** If an audit write fails, the entry is logged instead. */
function openAudit(database: Database, log: Log): AuditLog {
  const audit = createAuditLog(database);
  return {
    ...audit,
    record: logFailure(audit.record, log, 'writing to the audit log failed'),
    keepNewest: logFailure(audit.keepNewest, log, 'pruning the audit log failed'),
  };
}
