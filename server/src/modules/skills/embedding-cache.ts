import { sha256 } from '../../platform/lib/sha256.ts';
import { inList } from '../../platform/storage/in-list.ts';
import type { Database } from '../../platform/storage/open-database.ts';
import type { SmallVector } from './similar-skills.ts';

/**
 * Embeddings in the database, so that each is paid for once. By embedder and state key of the text.
 */
export interface EmbeddingCache {
  /** Cached embeddings of these states. */
  load(embedder: string, states: readonly string[]): Promise<Map<string, SmallVector>>;
  save(embedder: string, vectors: ReadonlyMap<string, SmallVector>): Promise<void>;
  /** Evicts embeddings of other embedders and, if there are too many, all except these states. */
  tidy(embedder: string, states: readonly string[]): Promise<void>;
}

const bytesOfScale = 4;
/** Number of unused embeddings that are always kept. */
const maxUnused = 1000;

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
      // A folder that is temporarily unavailable may come back.
      if (count > 2 * states.length + maxUnused) {
        await database
          .deleteFrom('skill_embeddings')
          .where('checksum', 'not in', inList(states.map(keyOf)))
          .execute();
      }
    },
  };
}

/** A digest, so that the database contains neither URLs nor descriptions. */
function keyOf(text: string): string {
  return sha256(text, 'base64');
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
