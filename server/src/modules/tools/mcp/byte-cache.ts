/**
 * Content-addressed LRU-like cache by digest; entries never change. The oldest are evicted first.
 */
interface ByteCache {
  /** Returns the cached bytes or reads them; concurrent reads are deduplicated. */
  get(digest: string, read: () => Promise<Uint8Array>): Promise<Uint8Array>;
}

const maxBytes = 32 * 1024 * 1024;

export function createByteCache(): ByteCache {
  const cached = new Map<string, Uint8Array>();
  const reading = new Map<string, Promise<Uint8Array>>();
  let total = 0;
  const store = (digest: string, bytes: Uint8Array) => {
    cached.set(digest, bytes);
    total += bytes.length;
    for (const [oldest, { length }] of cached) {
      if (total <= maxBytes) {
        return;
      }
      cached.delete(oldest);
      total -= length;
    }
  };
  return {
    get: (digest, read) => {
      const known = cached.get(digest);
      if (known) {
        return Promise.resolve(known);
      }
      const underWay =
        reading.get(digest) ??
        read()
          .then((bytes) => {
            store(digest, bytes);
            return bytes;
          })
          .finally(() => reading.delete(digest));
      reading.set(digest, underWay);
      return underWay;
    },
  };
}
