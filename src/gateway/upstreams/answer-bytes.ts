import type { AnswerShare } from './answer-budget';

/** What is copied first, where more than one piece comes. */
const FIRST_BYTES = 65_536;
/** What is longer, and does not say how long, gets the memory of the longest answer: pages without anything take no room. */
const SHORT_BYTES = 262_144;

/** The budget from which the memory of an answer is reserved, and until when. */
export interface MemoryReservation {
  /** Undefined: it is not counted. */
  readonly share: AnswerShare | undefined;
  readonly signal: AbortSignal;
}

/**
 * Collects the pieces of an answer into one piece of memory: a byte that came alone and was kept would cost about 200. One that
 * comes in one piece is not copied.
 */
export class AnswerBytes {
  length = 0;
  private memory: Buffer = Buffer.alloc(0);
  private isOwn = false;

  /**
   * @param most bytes
   * @param declared how many there will be, if that is known: they are held from the beginning then
   * @param lend gives memory for a long answer; undefined: it is allocated
   */
  constructor(
    private readonly most: number,
    private readonly declared = 0,
    private readonly lend: (bytes: number) => Buffer | undefined = () => undefined,
  ) {}

  /** The memory that a piece needs. */
  private sizeFor(length: number): number {
    if (!this.isOwn && this.length === 0) return length;
    if (length <= this.memory.length && this.isOwn) return this.memory.length;
    if (this.declared < length && length > SHORT_BYTES) return Math.max(length, this.most);
    return Math.max(length, Math.min(this.most, Math.max(FIRST_BYTES, this.declared, 2 * this.memory.length)));
  }

  /** @returns how many bytes have to be held before a piece can be added */
  needs(piece: Buffer): number {
    return this.sizeFor(this.length + piece.length);
  }

  /** The memory that it has now. */
  get size(): number {
    return this.memory.length;
  }

  /** @returns whether it fits */
  add(piece: Buffer): boolean {
    const length = this.length + piece.length;
    if (length > this.most) return false;
    const size = this.sizeFor(length);
    if (!this.isOwn && this.length === 0) this.memory = piece;
    else {
      if (size > this.memory.length || !this.isOwn) this.grow(size);
      piece.copy(this.memory, this.length);
    }
    this.length = length;
    return true;
  }

  /** All bytes, not copied: nothing may be added after this. */
  bytes(): Buffer {
    return this.memory.subarray(0, this.length);
  }

  private grow(size: number): void {
    const memory = (size > SHORT_BYTES ? this.lend(size) : undefined) ?? Buffer.allocUnsafeSlow(size);
    this.memory.copy(memory, 0, 0, this.length);
    this.memory = memory;
    this.isOwn = true;
  }
}

/** Adds a piece as soon as there is room. @returns whether it fits @throws UnavailableError; the reason of the signal */
export async function addHeld(
  bytes: AnswerBytes,
  piece: Buffer,
  { share, signal }: MemoryReservation,
): Promise<boolean> {
  const needed = bytes.needs(piece);
  if (share && !share.has(needed)) await share.hold(needed, signal);
  return bytes.add(piece);
}
