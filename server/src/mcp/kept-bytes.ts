/** What was read, by what it is: the bytes of a digest never change. The oldest go first. */
interface KeptBytes {
  /** Reads it, once for all who ask at the same time, unless it is kept. */
  get(digest: string, read: () => Promise<Uint8Array>): Promise<Uint8Array>;
}

const mostBytes = 32 * 1024 * 1024;

export function keptBytes(): KeptBytes {
  const kept = new Map<string, Uint8Array>();
  const reading = new Map<string, Promise<Uint8Array>>();
  let total = 0;
  const keep = (digest: string, bytes: Uint8Array) => {
    kept.set(digest, bytes);
    total += bytes.length;
    for (const [oldest, { length }] of kept) {
      if (total <= mostBytes) {
        return;
      }
      kept.delete(oldest);
      total -= length;
    }
  };
  return {
    get: (digest, read) => {
      const known = kept.get(digest);
      if (known) {
        return Promise.resolve(known);
      }
      const underWay =
        reading.get(digest) ??
        read()
          .then((bytes) => {
            keep(digest, bytes);
            return bytes;
          })
          .finally(() => reading.delete(digest));
      reading.set(digest, underWay);
      return underWay;
    },
  };
}
