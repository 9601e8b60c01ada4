import { problem } from '@knowhow/shared/problem';
import type { Cluster, Lease } from '../../../platform/cluster/cluster.ts';

interface Work {
  signal: AbortSignal;
  /** Called when this node has the lease of the source. */
  onStart?: (() => unknown) | undefined;
}

interface Sources {
  cluster: Cluster;
  /** Called after the state of a source may have changed. */
  onChange: () => Promise<void>;
}

/** Runs work on a source while this node has its lease. Throws `conflict` if another has it. */
export async function withLease<Given extends Work, Result>(
  { cluster, onChange }: Sources,
  id: string,
  work: Given,
  run: (work: Given) => Promise<Result>,
): Promise<Result> {
  const lease: Lease | undefined = await cluster.lease(`skill source ${id}`, {});
  if (!lease) {
    throw problem('conflict', `The source "${id}" is being synced. Try again when that has ended.`);
  }
  try {
    await work.onStart?.();
    const signal = AbortSignal.any([work.signal, lease.lost]);
    return await run({ ...work, signal });
  } finally {
    await lease.release();
    await onChange();
  }
}
