import { setTimeout as sleep } from 'node:timers/promises';
import { outsideRequests } from '../../database/deadline';

/** However quiet it is: the fallback for notifications that got lost. */
const LONGEST_REST_MS = 1_000;

/** Does something again and again: when it is woken, and when its rest is over. Never twice at once. */
export class Loop {
  private running?: Promise<void>;
  private timer?: NodeJS.Timeout;
  private wakeAt = Infinity;
  private stopped = false;
  private isFailing = false;

  /**
   * @param turn gives the milliseconds after which it wants to be called again; an error makes it rest
   * @param onTrouble is told of the first error of a row of them, and with `undefined` that it is over
   */
  constructor(
    private readonly turn: () => Promise<number>,
    private readonly onTrouble: (error: unknown) => void,
  ) {}

  /** @param within milliseconds by which the next turn begins, or ends the one that is under way and begins again */
  wake(within = 0): void {
    const at = performance.now() + within;
    if (this.stopped || at >= this.wakeAt) return;
    this.wakeAt = at;
    // A request may wake it; what it then does is not that request's work.
    if (!this.running) outsideRequests(() => this.arm());
  }

  /** The turn that is under way is the last one. */
  async stop(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.timer);
    await this.running;
  }

  private arm(): void {
    clearTimeout(this.timer);
    const rest = this.wakeAt - performance.now();
    if (rest <= 0) this.start();
    else this.timer = setTimeout(() => this.start(), rest).unref();
  }

  private start(): void {
    this.running = this.run().finally(() => {
      this.running = undefined;
      if (!this.stopped) this.arm();
    });
  }

  private async run(): Promise<void> {
    do {
      this.wakeAt = Infinity;
      const rest = await this.safely();
      this.wake(Math.min(rest, LONGEST_REST_MS));
      // So that a loop which never rests leaves room for others.
      await sleep(0);
    } while (!this.stopped && this.wakeAt <= performance.now());
  }

  private async safely(): Promise<number> {
    try {
      const rest = await this.turn();
      if (this.isFailing) this.onTrouble(undefined);
      this.isFailing = false;
      return rest;
    } catch (error) {
      if (!this.isFailing) this.onTrouble(error);
      this.isFailing = true;
      return LONGEST_REST_MS;
    }
  }
}
