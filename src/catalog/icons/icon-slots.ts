/** Icons that a process fetches at once, so that a page with many of them takes little of what other requests need. */
export const ICON_SLOTS = {
  all: 4,
  /** From one host: anyone with an account can name it, and it did not ask for our requests. */
  host: 1,
  waiting: 200,
} as const;

/** Too many icons are being fetched. Nothing was tried, so it says nothing about the address. */
export class NoIconSlotError extends Error {
  constructor() {
    super('Too many icons are being fetched at the moment.');
  }
}

interface Waiter {
  host: string;
  start: () => void;
}

/** Who may fetch: in the order of arrival, except that those for a busy host let others pass. */
export class IconSlots {
  private readonly hosts = new Set<string>();
  private readonly waiting = new Set<Waiter>();

  /**
   * @param signal ends the wait
   * @returns gives the slot back
   * @throws NoIconSlotError if too many wait, or the signal ends the wait
   */
  async take(host: string, signal: AbortSignal): Promise<() => void> {
    if (!this.isFree(host)) await this.wait(host, signal);
    else this.hosts.add(host);
    return () => {
      this.hosts.delete(host);
      for (const waiter of this.waiting) if (this.isFree(waiter.host)) waiter.start();
    };
  }

  private isFree(host: string): boolean {
    return this.hosts.size < ICON_SLOTS.all && !this.hosts.has(host);
  }

  private wait(host: string, signal: AbortSignal): Promise<void> {
    if (this.waiting.size >= ICON_SLOTS.waiting || signal.aborted) throw new NoIconSlotError();
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        this.waiting.delete(waiter);
        signal.removeEventListener('abort', give);
      };
      const give = (): void => {
        leave();
        reject(new NoIconSlotError());
      };
      const start = (): void => {
        leave();
        this.hosts.add(host);
        resolve();
      };
      const waiter = { host, start };
      this.waiting.add(waiter);
      signal.addEventListener('abort', give, { once: true });
    });
  }
}
