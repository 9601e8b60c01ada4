import { setTimeout as delay } from 'node:timers/promises';
import { Problem, problem } from '@knowhow/shared/problem';
import type { SkillSourceConfig } from '@knowhow/shared/skills/skill-sources';
import type { Cluster } from '../../../platform/cluster/cluster.ts';
import type { Log } from '../../../platform/lib/log.ts';
import { getHookSecret, type Hook, isSigned } from './check-hook.ts';
import type { SourceSync } from './sync-sources.ts';

interface Unattended {
  signal: AbortSignal;
  /** Called when this node has the lease of the source. */
  onStart?: () => unknown;
}

/** Syncs a source without a person. If changes need a review, a person takes them. */
function syncUnattended(
  source: SkillSourceConfig,
  { sync }: Pick<SourceSync, 'sync'>,
  { signal, onStart }: Unattended,
): Promise<unknown> {
  const by = { id: 'skill-source', name: source.id };
  return sync(source, {
    ...{ by, isPublisher: false, reason: undefined, isUnattended: true },
    ...{ signal, onStart },
  });
}

function logFailure(log: Log, source: string, error: unknown): void {
  const known = error instanceof Problem ? error.message : error;
  log.warn({ source, error: known }, 'a source of skills could not be synced');
}

const intervals = { hourly: 3_600_000, daily: 86_400_000, weekly: 7 * 86_400_000 };

/** Syncs all sources that are due, one after the other. A failure is recorded and logged. */
export async function syncDueSources(
  sources: readonly SkillSourceConfig[],
  sync: Pick<SourceSync, 'describe' | 'sync'>,
  { signal, log }: { signal: AbortSignal; log: Log },
): Promise<void> {
  for (const source of sources) {
    if (source.schedule === 'never' || signal.aborted) {
      continue;
    }
    const { syncedAt } = (await sync.describe(source)).state;
    const age = Date.now() - Date.parse(syncedAt ?? '1970-01-01');
    if (age < intervals[source.schedule]) {
      continue;
    }
    try {
      await syncUnattended(source, sync, { signal });
    } catch (error) {
      logFailure(log, source.id, error);
    }
  }
}

interface HookOptions {
  sources: () => readonly SkillSourceConfig[];
  sync: Pick<SourceSync, 'sync'>;
  cluster: Cluster;
  log: Log;
  variables: Readonly<Record<string, string | undefined>>;
}

export interface SourceHooks {
  /**
   * Checks the signature of a webhook, and syncs its source in the background. However many arrive,
   * one sync runs and at most one follows, on all nodes together.
   *
   * @throws the same problem for an unknown source, one without a secret, and a wrong signature
   */
  receive(id: string, hook: Hook): void;
  /** Stops the syncs that hooks have started. */
  stop(): void;
}

/** How long a hook waits for a sync that is running, and how often it looks, in milliseconds. */
const [maxWaitMs, pollMs] = [600_000, 1000];

/** Receives webhooks of git servers. */
export function createSourceHooks(options: HookOptions): SourceHooks {
  const { sources, variables, log } = options;
  const stopping = new AbortController();
  const { signal } = stopping;
  /** Sources whose next sync has not started. */
  const waiting = new Set<string>();
  return {
    receive: (id, hook) => {
      const variable = sources().find((source) => source.id === id)?.webhook?.variable;
      const secret = variable === undefined ? undefined : getHookSecret(variables, variable);
      if (!isSigned(hook, secret)) {
        throw problem('not-found', refused);
      }
      if (!waiting.has(id) && !signal.aborted) {
        waiting.add(id);
        syncNext(options, id, { signal, onStart: () => waiting.delete(id) })
          .catch((error) => signal.aborted || logFailure(log, id, error))
          .finally(() => waiting.delete(id));
      }
    },
    stop: () => stopping.abort(),
  };
}

const refused =
  'No source has this webhook, or its secret is not that of the request. Check the address, the secret at the git server, and the variable of the source.';

/** Syncs a source after the sync that is running, unless another node does. */
async function syncNext(
  { sources, sync, cluster }: HookOptions,
  id: string,
  { signal, onStart }: Unattended,
): Promise<void> {
  const next = await cluster.lease(`next sync of skill source ${id}`, {});
  if (!next) {
    return;
  }
  let isStarted = false;
  const begin = async () => {
    isStarted = true;
    await onStart?.();
    await next.release();
  };
  const endsAt = Date.now() + maxWaitMs;
  try {
    while (!(isStarted || signal.aborted)) {
      const source = sources().find((each) => each.id === id);
      if (!source) {
        return;
      }
      try {
        await syncUnattended(source, sync, { signal, onStart: begin });
      } catch (error) {
        if (isStarted || Date.now() > endsAt) {
          throw error;
        }
        // Another sync is running.
        await delay(pollMs, undefined, { signal });
      }
    }
  } finally {
    await next.release();
  }
}
