import { createHash } from 'node:crypto';
import { inList } from '../storage/in-list.ts';
import type { Database } from '../storage/open-database.ts';
import type { SmallVector } from './similar-skills.ts';

/** Vectors in the database, so that none is paid for twice. By embedder, and by what their texts follow from. */
export interface EmbeddingCache {
  /** Of these states, those that are kept. */
  load(embedder: string, states: readonly string[]): Promise<Map<string, SmallVector>>;
  save(embedder: string, vectors: ReadonlyMap<string, SmallVector>): Promise<void>;
  /** Lets go of those of other embedders and, where there are too many, of all states but these. */
  tidy(embedder: string, states: readonly string[]): Promise<void>;
}

const bytesOfScale = 4;
/** So many vectors are kept in any case. */
const usualRest = 1000;

export function createEmbeddingCache(database: Database): EmbeddingCache {
  return {
    load: async (embedder, states) => {
      const byKey = new Map(states.map((state) => [keyOf(state), state]));
      const rows = await database
        .selectFrom('skill_embeddings')
        .select(['checksum', 'vector'])
        .where('embedder', '=', keyOf(embedder))
        .where('checksum', 'in', inList([...byKey.keys()]))
        .execute();
      return new Map(
        rows.map(({ checksum, vector }) => [byKey.get(checksum) ?? '', vectorOf(vector)]),
      );
    },
    save: async (embedder, vectors) => {
      if (vectors.size === 0) {
        return;
      }
      const values = [...vectors].map(([state, vector]) => ({
        embedder: keyOf(embedder),
        checksum: keyOf(state),
        vector: bytesOf(vector),
      }));
      await database
        .insertInto('skill_embeddings')
        .values(values)
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    },
    tidy: async (embedder, states) => {
      const own = keyOf(embedder);
      await database.deleteFrom('skill_embeddings').where('embedder', '<>', own).execute();
      const { count } = await database
        .selectFrom('skill_embeddings')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow();
      // A folder that is away for a while comes back.
      if (count > 2 * states.length + usualRest) {
        await database
          .deleteFrom('skill_embeddings')
          .where('checksum', 'not in', inList(states.map(keyOf)))
          .execute();
      }
    },
  };
}

/** Neither an address nor a description is wanted in the database. */
function keyOf(text: string): string {
  return createHash('sha256').update(text).digest('base64');
}

function bytesOf({ values, scale }: SmallVector): Buffer {
  const bytes = Buffer.alloc(bytesOfScale + values.length);
  bytes.writeFloatLE(scale);
  bytes.set(values, bytesOfScale);
  return bytes;
}

function vectorOf(bytes: ArrayBuffer): SmallVector {
  const scale = new DataView(bytes).getFloat32(0, true);
  return { scale, values: new Int8Array(bytes, bytesOfScale) };
}
