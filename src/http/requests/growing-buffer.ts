/** Most bodies fit, and so are copied once. */
const FIRST_BYTES = 16_384;

/**
 * Bytes that come in pieces, in one piece of memory. A piece of one byte that was kept would cost about 300 of them: a
 * client that sends a MiB in chunks of a byte must not take more than one that sends it whole.
 */
export class GrowingBuffer {
  /** Bytes so far. */
  length = 0;
  private memory = Buffer.alloc(0);

  /** @param limit bytes at most */
  constructor(private readonly limit: number) {}

  /** @returns whether it fits; else nothing of it is taken */
  append(piece: Buffer): boolean {
    const length = this.length + piece.length;
    if (length > this.limit) return false;
    if (length > this.memory.length) this.grow(length);
    piece.copy(this.memory, this.length);
    this.length = length;
    return true;
  }

  /** All of it, not copied: nothing may be appended any more. */
  bytes(): Buffer {
    return this.memory.subarray(0, this.length);
  }

  /** To twice the size, so that no byte is copied more than twice on average. */
  private grow(length: number): void {
    const size = Math.max(length, FIRST_BYTES, 2 * this.memory.length);
    // Not of the pool that short buffers share.
    const memory = Buffer.allocUnsafeSlow(Math.min(size, this.limit));
    this.memory.copy(memory, 0, 0, this.length);
    this.memory = memory;
  }
}
