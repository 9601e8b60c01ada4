import type { Cluster } from '../cluster/cluster.ts';
import { createSeal } from '../lib/seal.ts';
import type { Database } from '../storage/open-database.ts';
import type { KeySources } from './model-key.ts';

/** Keys of providers that were entered in the admin pages, encrypted in the database. In no backup. */
export interface ProviderKeys {
  /** By their variables. */
  current(): Readonly<Record<string, string>>;
  /** These and those of the environment, which wins where it holds something; the same object until one changes. */
  sources(): KeySources;
  /** Calls `listener` after each change, for as long as the process lives. */
  onChange(listener: () => void): void;
  /** Who has entered which, and when. What does not open, since it was sealed with another key, is not there. */
  list(): Promise<EnteredKey[]>;
  set(variable: string, key: string, by: string): Promise<void>;
  /** Answers whether it was there. */
  remove(variable: string): Promise<boolean>;
}

interface EnteredKey {
  variable: string;
  by: string;
  at: string;
}

interface Dependencies {
  environment: KeySources;
  database: Database;
  cluster: Cluster;
  /** 32 bytes. */
  key: Uint8Array;
}

const topic = 'provider keys';

export async function openProviderKeys({
  environment,
  database,
  cluster,
  key,
}: Dependencies): Promise<ProviderKeys> {
  const seal = createSeal(key, 'keys of providers');
  const read = async () => {
    const rows = await database.selectFrom('provider_keys').selectAll().execute();
    return rows.flatMap(({ variable, sealed, updated_by: by, updated_at: at }) => {
      const value = seal.open(sealed, variable);
      return value === undefined ? [] : [{ variable, value, by, at }];
    });
  };
  const load = async () =>
    Object.fromEntries((await read()).map(({ variable, value }) => [variable, value]));
  let current = await load();
  let sources = withKeys(environment, current);
  const listeners: (() => void)[] = [];
  const reload = async () => {
    current = await load();
    sources = withKeys(environment, current);
    for (const listener of listeners) {
      listener();
    }
  };
  // On other nodes; a database that is away for a moment is asked again with the next change.
  const hear = () => {
    reload().catch(() => undefined);
  };
  cluster.subscribe(topic, hear, hear);
  const changed = async () => {
    await reload();
    await cluster.publish(topic, 'changed');
  };
  return {
    current: () => current,
    sources: () => sources,
    onChange: (listener) => {
      listeners.push(listener);
    },
    list: async () => (await read()).map(({ value: _value, ...entered }) => entered),
    set: async (variable, value, by) => {
      const row = {
        sealed: seal.seal(value, variable),
        updated_by: by,
        updated_at: new Date().toISOString(),
      };
      await database
        .insertInto('provider_keys')
        .values({ variable, ...row })
        .onConflict((conflict) => conflict.column('variable').doUpdateSet(row))
        .execute();
      await changed();
    },
    remove: async (variable) => {
      const { numDeletedRows } = await database
        .deleteFrom('provider_keys')
        .where('variable', '=', variable)
        .executeTakeFirst();
      await changed();
      return numDeletedRows > 0n;
    },
  };
}

function withKeys(
  { variables, modelHosts }: KeySources,
  entered: Readonly<Record<string, string>>,
): KeySources {
  const own = Object.entries(variables).filter(([, value]) => value);
  return { variables: { ...entered, ...Object.fromEntries(own) }, modelHosts };
}
