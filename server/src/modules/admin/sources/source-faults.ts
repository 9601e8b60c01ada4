import type { ContentIssue } from '@knowhow/shared/config/health';
import type { Cluster } from '../../../platform/cluster/cluster.ts';
import { formatCount } from '../../../platform/lib/format-count.ts';
import type { Log } from '../../../platform/lib/log.ts';
import type { Contents } from '../../content/index.ts';
import type { SourceStates } from '../../skills/index.ts';

interface Options {
  cluster: Cluster;
  contents: () => Contents;
  states: SourceStates;
  log: Log;
}

/** The changes that automatic syncs left, for `/api/admin/faults`. */
export interface SourceFaults {
  list(): ContentIssue[];
  /** After a change of the state of a source: all nodes read it again. */
  refresh(): Promise<void>;
  stop(): Promise<void>;
}

const topic = 'skill sources';

/** Follows the states of sources on all nodes. */
export async function openSourceFaults(options: Options): Promise<SourceFaults> {
  const { cluster, contents, states, log } = options;
  let edited: ReadonlyMap<string, number> = new Map();
  const reread = async () => {
    const found: [string, number][] = [];
    for (const { id } of contents().skillSources) {
      found.push([id, (await states.get(id)).edited]);
    }
    edited = new Map(found);
  };
  let reading = Promise.resolve();
  const rereadLater = () => {
    reading = reread().catch((error: unknown) =>
      log.error({ error }, 'reading the states of sources failed'),
    );
  };
  const unsubscribe = cluster.subscribe(topic, rereadLater, rereadLater);
  await reread();
  return {
    list: () =>
      contents().skillSources.flatMap(({ id, update }, at) => {
        const count = edited.get(id) ?? 0;
        return update === 'auto' && count > 0 ? describe(id, at, count) : [];
      }),
    refresh: async () => {
      await reread();
      await cluster.publish(topic, '');
    },
    stop: async () => {
      unsubscribe();
      await reading;
    },
  };
}

function describe(id: string, at: number, count: number): ContentIssue {
  const skills = formatCount(count, 'skill was', 'skills were');
  return {
    path: 'contents/config/skill-sources.json',
    field: `sources[${at}]`,
    message: `${skills} changed in the source "${id}" and edited here, so that its automatic syncs leave them. Decide on /admin/sources/${id}.`,
    isUsed: true,
  };
}
