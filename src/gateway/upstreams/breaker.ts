/** Failures within this time open the breaker. */
const WINDOW_MS = 30_000;
const FAILURES = 5;
/** How long an open breaker lets nothing pass; then one request tries. */
const OPEN_MS = 30_000;

/**
 * Stops sending to an upstream that does not answer. Five transport failures in 30 seconds open it for 30 seconds; then
 * one request may try, and decides. Answers of any kind, 401 and 403 included, are no failures.
 */
export class Breaker {
  /** When each of the last failures was, oldest first. */
  private failures: number[] = [];
  private openUntil = -Infinity;
  private isTrying = false;

  /** @param now milliseconds of a clock that never goes back */
  constructor(private readonly now: () => number = () => performance.now()) {}

  /** How long it still lets nothing pass, in whole seconds; 0 if it is closed, or if one request may try. */
  get openFor(): number {
    return Math.max(0, Math.ceil((this.openUntil - this.now()) / 1_000));
  }

  /** @returns whether a request may be sent now; its outcome must be told */
  admit(): boolean {
    if (this.openUntil === -Infinity) return true;
    if (this.now() < this.openUntil || this.isTrying) return false;
    this.isTrying = true;
    return true;
  }

  /** The upstream has answered, with whatever. @returns whether it had failed repeatedly before */
  answered(): boolean {
    const wasOpen = this.openUntil !== -Infinity;
    this.failures = [];
    this.openUntil = -Infinity;
    this.isTrying = false;
    return wasOpen;
  }

  /** The upstream could not be reached, or did not answer in time. @returns whether it has failed repeatedly now */
  failed(): boolean {
    const now = this.now();
    this.failures = [...this.failures.filter((at) => now - at < WINDOW_MS), now].slice(-FAILURES);
    const opens = this.isTrying || this.failures.length === FAILURES;
    if (opens) this.openUntil = now + OPEN_MS;
    this.isTrying = false;
    return opens;
  }

  /** The client has gone, so nothing was learnt. */
  withdrawn(): void {
    this.isTrying = false;
  }
}
