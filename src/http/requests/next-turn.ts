import { setImmediate, setTimeout } from 'node:timers';

/**
 * Lets work of several requests go on piece by piece, one piece in each turn of the event loop: what is short waits for one of
 * them at most, however many requests are long.
 */
export class PieceQueue {
  private readonly waiting: (() => void)[] = [];
  /** When the last piece began; of `performance.now()`. */
  private beganAt = 0;

  /**
   * @param restMs how long the loop is left to others between two pieces, while more than one request has some
   * @param longMs how long a piece takes after which the loop is left to others in any case: a short request needs several turns,
   *   and would wait for a piece in each of them
   */
  constructor(
    private readonly restMs = 0,
    private readonly longMs = Infinity,
  ) {}

  /** @returns when the next piece may be done */
  next(): Promise<void> {
    return new Promise((resolve) => {
      if (this.waiting.push(resolve) === 1) this.schedule();
    });
  }

  private schedule(): void {
    const rests = this.waiting.length > 1 || performance.now() - this.beganAt >= this.longMs;
    if (this.restMs > 0 && rests) setTimeout(() => this.release(), this.restMs);
    else setImmediate(() => this.release());
  }

  private release(): void {
    this.beganAt = performance.now();
    this.waiting.shift()?.();
    if (this.waiting.length > 0) this.schedule();
  }
}

const pieces = new PieceQueue(2, 1);

/**
 * Yields to the event loop. For work of one request that takes long without waiting for anything: no request may hold
 * up the others for more than 50 ms.
 */
export function nextTurn(): Promise<void> {
  return pieces.next();
}
