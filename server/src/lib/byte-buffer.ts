/** Gathers bytes in at most twice their size, however small the chunks are in which they come. */
export class ByteBuffer {
  #bytes = Buffer.allocUnsafe(4096);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  add(chunk: Uint8Array): void {
    const needed = this.#length + chunk.length;
    if (needed > this.#bytes.length) {
      const larger = Buffer.allocUnsafe(Math.max(needed, this.#bytes.length * 2));
      this.#bytes.copy(larger, 0, 0, this.#length);
      this.#bytes = larger;
    }
    this.#bytes.set(chunk, this.#length);
    this.#length = needed;
  }

  /** All of it; it is empty afterwards. */
  take(): Buffer {
    const taken = this.#bytes.subarray(0, this.#length);
    this.#bytes = Buffer.allocUnsafe(4096);
    this.#length = 0;
    return taken;
  }
}
