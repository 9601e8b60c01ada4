/** A map with overridden values for some keys, without copying the base. */
export class EditedMap<Key, Value extends object> implements ReadonlyMap<Key, Value> {
  private readonly base: ReadonlyMap<Key, Value>;
  private readonly edits: ReadonlyMap<Key, Value>;

  /** @param edits overrides for keys that exist in `base` */
  constructor(base: ReadonlyMap<Key, Value>, edits: ReadonlyMap<Key, Value>) {
    this.base = base;
    this.edits = edits;
  }

  get size(): number {
    return this.base.size;
  }

  get(key: Key): Value | undefined {
    return this.edits.get(key) ?? this.base.get(key);
  }

  has(key: Key): boolean {
    return this.base.has(key);
  }

  forEach(act: (value: Value, key: Key, map: ReadonlyMap<Key, Value>) => void): void {
    this.base.forEach((value, key) => {
      act(this.edits.get(key) ?? value, key, this);
    });
  }

  keys(): MapIterator<Key> {
    return this.base.keys();
  }

  *values(): MapIterator<Value> {
    for (const [key, value] of this.base) {
      yield this.edits.get(key) ?? value;
    }
  }

  *entries(): MapIterator<[Key, Value]> {
    for (const [key, value] of this.base) {
      yield [key, this.edits.get(key) ?? value];
    }
  }

  [Symbol.iterator](): MapIterator<[Key, Value]> {
    return this.entries();
  }
}
