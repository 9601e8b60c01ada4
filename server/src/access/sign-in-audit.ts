import { Problem } from '@knowhow/shared/problem';
import { ignore } from '../lib/ignore.ts';
import type { AuditLog } from '../storage/audit-log.ts';
import type { NamedUser } from './identity.ts';

/** What the audit log keeps of who signed in and out, and who was refused. */
export interface SignInAudit {
  /**
   * @param address where it came from, as it is counted in limits
   * @param provider where they have signed in; left out for here
   */
  signedIn(user: NamedUser, address: string, provider?: string): Promise<void>;
  signedOut(user: NamedUser, address: string, provider?: string): Promise<void>;
  /** Somebody came for the first time who is known elsewhere. */
  madeAccount(user: NamedUser, groups: readonly string[], provider: string): Promise<void>;
  /**
   * What was ended by what a provider, or the proxy, says, and not by anybody here.
   *
   * @param users whose each session was
   * @param reason a code
   */
  ended(users: readonly NamedUser[], provider: string, reason: string): Promise<void>;
  /** @param reason a code */
  refused(username: string, address: string, reason: string): Promise<void>;
  /** Writes down what has only been counted so far. */
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
  /** That are not in the log yet. */
  more: number;
}

const kind = 'session' as const;
const windowMs = 60_000;
/** Names and addresses in one window that have entries of their own; the others share one. */
const maxApart = 20;
const maxNameLength = 64;
const maxKept = 50_000;
const pruneEvery = 500;

/**
 * The first refusal of a name from an address is recorded at once, those that follow within a minute as
 * one entry with their number: whoever tries a thousand passwords fills no disk. Of all of this kind the
 * newest 50,000 entries are kept.
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
    ...elsewhere(record),
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
      if (counted.size >= maxApart) {
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

/** What comes from where people are known beside here. */
function elsewhere(record: AuditLog['record']): Pick<SignInAudit, 'madeAccount' | 'ended'> {
  return {
    madeAccount: ({ id, name, username: target }, groups, provider) =>
      record({
        ...{ by: { id, name }, action: 'create', kind: 'user', target },
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
