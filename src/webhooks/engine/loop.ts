import { setImmediate as otherWork } from 'node:timers/promises';
import { outsideRequests } from '../../database/deadline';

/** The loop runs at least this often, in case notifications were lost. */
const MAX_REST_MS = 1_000;

/** Runs a function repeatedly: when woken, and when its rest is over. Never concurrently. */
export class Loop {
  private running?: Promise<void>;
  private timer?: NodeJS.Timeout;
  private wakeAt = Infinity;
  private stopped = false;
  private isFailing = false;

  /**
   * @param turn returns the milliseconds until it wants to run again; after an error the loop rests
   * @param onTrouble called with the first of several consecutive errors, and with `undefined` after recovery
   */
  constructor(
    private readonly turn: () => Promise<number>,
    private readonly onTrouble: (error: unknown) => void,
  ) {}

  /** @param within milliseconds until the next turn; if one is running, it runs again after that */
  wake(within = 0): void {
    const at = performance.now() + within;
    if (this.stopped || at >= this.wakeAt) return;
    this.wakeAt = at;
    // A request may wake it, but the turn must not run in that request's context.
    if (!this.running) outsideRequests(() => this.arm());
  }

  /** Waits for the running turn and starts no other. */
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
      this.wake(Math.min(rest, MAX_REST_MS));
      // Yields, so that a loop that never rests does not starve others.
      await otherWork();
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
      return MAX_REST_MS;
    }
  }
}
