/** Adds or replaces an entry of a cache; above `max` entries, the oldest is evicted. */
export function addToCache<Key, Value>(
  cache: Map<Key, Value>,
  { key, value, max }: { key: Key; value: Value; max: number },
): void {
  cache.set(key, value);
  if (cache.size > max) {
    const [oldest] = cache.keys();
    if (oldest !== undefined) {
      cache.delete(oldest);
    }
  }
}
