import { setImmediate, setTimeout } from 'node:timers';

/**
 * Lets work of several requests go on piece by piece, one piece in each turn of the event loop: what is short waits for one of
 * them at most, however many requests are long.
 */
export class PieceQueue {
  private readonly waiting: (() => void)[] = [];

  /**
   * @param restMs how long the loop is left to others between two pieces
   * @param restsAlone whether it is also while one request has some only
   */
  constructor(
    private readonly restMs = 0,
    private readonly restsAlone = false,
  ) {}

  /** @returns when the next piece may be done */
  next(): Promise<void> {
    return new Promise((resolve) => {
      if (this.waiting.push(resolve) === 1) this.schedule();
    });
  }

  private schedule(): void {
    const rests = this.restMs > 0 && (this.restsAlone || this.waiting.length > 1);
    if (rests) setTimeout(() => this.release(), this.restMs);
    else setImmediate(() => this.release());
  }

  private release(): void {
    this.waiting.shift()?.();
    if (this.waiting.length > 0) this.schedule();
  }
}

const pieces = new PieceQueue();
const slices = new PieceQueue(2, true);

/**
 * Yields to the event loop. For work of one request that takes long without waiting for anything: no request may hold
 * up the others for more than 50 ms.
 */
export function nextTurn(): Promise<void> {
  return pieces.next();
}

/**
 * Leaves the event loop to others after some milliseconds of work, for about as long. A short request needs several turns of it, and
 * would wait for a piece of work in each of them.
 */
export function restingTurn(): Promise<void> {
  return slices.next();
}
