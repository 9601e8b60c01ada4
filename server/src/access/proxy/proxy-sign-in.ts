import type { ProxyAuthConfig } from '@knowhow/shared/access/sign-in-config';
import type { Contents } from '../../content/contents.ts';
import type { Database } from '../../storage/open-database.ts';
import type { Account } from '../caller.ts';
import { groupsOfUser } from '../identity.ts';
import { endSessionsOf } from '../oidc/end-sessions-of.ts';
import { provisionAccount } from '../oidc/provision-account.ts';
import { SignInRefused } from '../oidc/sign-in-refused.ts';
import { createVerifyToken, type VerifyToken } from '../oidc/verify-token.ts';
import type { SignInAudit } from '../sign-in-audit.ts';
import { keptAnswers } from './kept-answers.ts';
import { type ProxiedRequest, readProxied, type Said } from './read-proxied.ts';

/** Who a reverse proxy says it is that makes a request. */
export interface ProxySignIn {
  isOn(): boolean;
  /** Undefined where it says nothing; null for somebody who may not come in, or where it cannot be believed. */
  accountOf(request: ProxiedRequest): Promise<Account | null | undefined>;
}

interface Dependencies {
  database: Database;
  contents: () => Contents;
  signInAudit: SignInAudit;
  /** The guarded way out to the keys. */
  fetch: typeof fetch;
}

/** Somebody who was last here longer ago than that has signed in. */
const signInMs = 8 * 3600_000;

export function openProxySignIn(dependencies: Dependencies): ProxySignIn {
  const { contents, database, fetch } = dependencies;
  const verify = createVerifyToken(fetch);
  const kept = keptAnswers();
  const config = () => {
    const { proxyAuth } = contents().platform;
    return proxyAuth?.enabled === true ? proxyAuth : undefined;
  };
  return {
    isOn: () => config() !== undefined,
    accountOf: async (request) => {
      const settings = config();
      const words = settings && readProxied(settings, request);
      if (!settings || !words) {
        return undefined;
      }
      const key = JSON.stringify([settings, words]);
      let userId = kept.find(key);
      if (userId === undefined) {
        const came = await comeIn(settings, words, request, { ...dependencies, verify });
        kept.keep(key, came);
        ({ userId } = came);
      }
      return userId === null ? null : findAccount(database, userId);
    },
  };
}

type ComingIn = Dependencies & { verify: VerifyToken };

interface Came {
  /** Of the account; null for nobody who may come in. */
  userId: string | null;
  /** How long that holds, in milliseconds since 1970. */
  until: number;
}

/** Whoever it is, or nobody. Both are in the audit log. */
async function comeIn(
  settings: ProxyAuthConfig,
  words: Said,
  { address }: ProxiedRequest,
  dependencies: ComingIn,
): Promise<Came> {
  const { signInAudit, verify } = dependencies;
  const provider = providerOf(settings);
  try {
    const said = 'token' in words ? await believe(words, verify) : words;
    const before = new Date(Date.now() - signInMs).toISOString();
    const { lastAt, isNew, ...account } = await provisionAccount(
      dependencies,
      { ...provider, ...('token' in words ? words.reading : {}) },
      said,
    );
    if (isNew) {
      await signInAudit.madeAccount(account, account.groups, provider.name);
    }
    if (lastAt === undefined || lastAt < before) {
      await signInAudit.signedIn(account, address, provider.name);
    }
    return { userId: account.id, until: expiryOf(said.claims) };
  } catch (error) {
    if (!(error instanceof SignInRefused)) {
      throw error;
    }
    const { username = '*', reason, identity } = error;
    if (identity !== undefined) {
      const ended = await endSessionsOf(dependencies.database, { identity });
      await signInAudit.ended(ended, provider.name, reason);
    }
    await signInAudit.refused(username, address, `${provider.name}: ${reason}`);
    return { userId: null, until: Number.POSITIVE_INFINITY };
  }
}

/** That of a token; plain words have none. */
function expiryOf({ exp }: Record<string, unknown>): number {
  return typeof exp === 'number' ? exp * 1000 : Number.POSITIVE_INFINITY;
}

async function believe(
  { token, issuer, audience, jwksUri }: Extract<Said, { token: string }>,
  verify: VerifyToken,
) {
  try {
    const claims = await verify(token, { issuer, audience, jwksUri });
    // Whoever signs people in before they get here answers for their address.
    return { issuer, claims: { email_verified: true, ...claims } };
  } catch (cause) {
    throw new SignInRefused('not-trusted', 'The signed header does not hold.', { cause });
  }
}

function providerOf(settings: ProxyAuthConfig) {
  return {
    name: 'proxy',
    title: settings.displayName ?? 'proxy',
    groupsAttribute: 'groups',
    nameAttribute: 'name',
    defaultGroups: settings.defaultGroups ?? [],
    allow: settings.allow,
    allowsSignup: settings.allowSelfSignup ?? false,
  };
}

async function findAccount(database: Database, id: string): Promise<Account | null> {
  const user = await database
    .selectFrom('users')
    .select(['id', 'name', 'groups', 'directory'])
    .where('id', '=', id)
    .where('disabled', '=', 0)
    .executeTakeFirst();
  return user ? { id, name: user.name, groups: groupsOfUser(user) } : null;
}
