import { Problem } from '@knowhow/shared/problem';
import { ignore } from '../../platform/lib/ignore.ts';
import type { AuditLog } from '../../platform/storage/audit-log.ts';
import type { NamedUser } from './identity.ts';

/** Records sign-ins, sign-outs and denied sign-ins in the audit log. */
export interface SignInAudit {
  /**
   * @param address the client address as used by rate limits
   * @param provider the identity provider; omitted for a local sign-in
   */
  signedIn(user: NamedUser, address: string, provider?: string): Promise<void>;
  signedOut(user: NamedUser, address: string, provider?: string): Promise<void>;
  /** An account was created at the first sign-in with a provider. */
  madeAccount(user: NamedUser, groups: readonly string[], provider: string): Promise<void>;
  /**
   * Sessions were ended on behalf of a provider or the proxy, not by a user here.
   *
   * @param users the user of each session
   * @param reason a code
   */
  ended(users: readonly NamedUser[], provider: string, reason: string): Promise<void>;
  /** @param reason a code */
  refused(username: string, address: string, reason: string): Promise<void>;
  /** Writes the counts of the current window. */
  flush(): Promise<void>;
}

const refusals: readonly string[] = [
  'wrong-credentials',
  'wrong-code',
  'password-expired',
  'too-many-requests',
];

const recordedProblems = new WeakSet<Problem>();

/** Records a problem if it refuses a sign-in, and marks it, so that it has no second entry as denied access. */
export async function recordRefusal(
  audit: SignInAudit,
  { username, address }: { username: string; address: string },
  error: unknown,
): Promise<void> {
  if (error instanceof Problem && refusals.includes(error.code)) {
    recordedProblems.add(error);
    await audit.refused(username, address, error.code);
  }
}

/** Whether `recordRefusal` has recorded this problem. */
export function isSignInRefusal(problem: Problem): boolean {
  return recordedProblems.has(problem);
}

interface Refused {
  target: string;
  address: string;
  reason: string;
  /** Refusals that are counted but not recorded yet. */
  more: number;
}

const kind = 'session' as const;
const windowMs = 60_000;
/**
 * Combinations of name and address that are counted separately in a window; all others share one
 * count.
 */
const maxGroups = 20;
const maxNameLength = 64;
const maxKept = 50_000;
const pruneEvery = 500;

/**
 * Records the first denial for a name and address at once, and those of the next minute as one
 * entry with a count. This way, brute force cannot fill the disk. The log retains the newest 50,000
 * entries of this kind.
 */
export function createSignInAudit(audit: AuditLog): SignInAudit {
  const counted = new Map<string, Refused>();
  let others = 0;
  let timer: NodeJS.Timeout | undefined;
  let recorded = 0;

  const record = async (entry: Parameters<AuditLog['record']>[0]) => {
    await audit.record(entry);
    recorded += 1;
    if (recorded % pruneEvery === 0) {
      await audit.keepNewest(kind, maxKept);
    }
  };
  const recordRefused = ({ target, address, reason }: Refused, attempts: number) =>
    record({
      by: { id: `address:${address}`, name: address },
      action: 'sign-in-refused',
      kind,
      target,
      after: { reason, attempts },
    });
  const flush = async () => {
    clearTimeout(timer);
    timer = undefined;
    const groups = [...counted.values()].filter(({ more }) => more > 0);
    counted.clear();
    const rest = others;
    others = 0;
    for (const group of groups) {
      await recordRefused(group, group.more);
    }
    if (rest > 0) {
      await recordRefused({ target: '*', address: '*', reason: 'several', more: 0 }, rest);
    }
  };
  const inOut = (action: string) => (user: NamedUser, address: string, provider?: string) => {
    const { username: target, id, name } = user;
    const after = { address, ...(provider === undefined ? {} : { provider }) };
    return record({ by: { id, name }, action, kind, target, after });
  };
  return {
    signedIn: inOut('signed-in'),
    signedOut: inOut('signed-out'),
    ...providerEvents(record),
    refused: async (username, address, reason) => {
      const target = username.toLowerCase().slice(0, maxNameLength);
      timer ??= setTimeout(() => {
        flush().catch(ignore);
      }, windowMs).unref();
      const key = `${address} ${reason} ${target}`;
      const known = counted.get(key);
      if (known) {
        known.more += 1;
        return;
      }
      if (counted.size >= maxGroups) {
        others += 1;
        return;
      }
      const refused = { target, address, reason, more: 0 };
      counted.set(key, refused);
      await recordRefused(refused, 1);
    },
    flush,
  };
}

/** Events that identity providers cause. */
function providerEvents(record: AuditLog['record']): Pick<SignInAudit, 'madeAccount' | 'ended'> {
  return {
    madeAccount: ({ id, name, username: target }, groups, provider) =>
      record({
        by: { id, name },
        action: 'create',
        kind: 'user',
        target,
        after: { groups, provider },
      }),
    ended: async (users, provider, reason) => {
      const by = { id: `provider:${provider}`, name: provider };
      for (const target of new Set(users.map(({ username }) => username))) {
        const sessions = users.filter(({ username }) => username === target).length;
        await record({ by, action: 'ended', kind, target, after: { provider, reason, sessions } });
      }
    },
  };
}
