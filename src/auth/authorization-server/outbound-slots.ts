/** Connections at once, of this process. */
export const OUTBOUND_SLOTS = {
  all: 20,
  /** To one host. */
  host: 3,
  /** For the requests of one network. */
  network: 5,
  /** Only for what this service sends of itself: that people have signed out. */
  own: 4,
} as const;

/** What needs the document at an address. */
export interface OutboundPurpose {
  readonly host: string;
  /** Who has named the address; undefined: it is for this service itself. */
  readonly network: string | undefined;
}

/** There is no connection left. Nothing was tried, so it says nothing about the address. */
export class NoSlotError extends Error {
  constructor() {
    super('Too many addresses are being fetched at the moment.');
    this.name = 'NoSlotError';
  }
}

/**
 * Who may connect. Anyone can name an address that never answers, so each network and each host has a few connections only,
 * and no one who asks can use up those for signing people out (contract, 13.8).
 */
export class OutboundSlots {
  private readonly hosts = new Map<string, number>();
  private readonly networks = new Map<string, number>();
  private readonly waiting = new Set<() => void>();
  private taken = 0;

  /** @returns gives the connection back @throws NoSlotError if there is none for this purpose */
  take(purpose: OutboundPurpose): () => void {
    if (!this.isFree(purpose)) throw new NoSlotError();
    this.count(purpose, 1);
    let isTaken = true;
    return () => {
      if (!isTaken) return;
      isTaken = false;
      this.count(purpose, -1);
      for (const wake of this.waiting) wake();
    };
  }

  /**
   * The same for what must not be lost: waits until there is one.
   *
   * @throws NoSlotError if there is none until the signal ends the wait
   */
  async wait(purpose: OutboundPurpose, signal: AbortSignal): Promise<() => void> {
    while (!this.isFree(purpose)) {
      if (signal.aborted) throw new NoSlotError();
      await new Promise<void>((resolve) => {
        const wake = (): void => {
          this.waiting.delete(wake);
          signal.removeEventListener('abort', wake);
          resolve();
        };
        this.waiting.add(wake);
        signal.addEventListener('abort', wake, { once: true });
      });
    }
    return this.take(purpose);
  }

  private isFree({ host, network }: OutboundPurpose): boolean {
    const { all, host: ofHost, network: ofNetwork, own } = OUTBOUND_SLOTS;
    if ((this.hosts.get(host) ?? 0) >= ofHost) return false;
    if (network === undefined) return this.taken < all;
    return this.taken < all - own && (this.networks.get(network) ?? 0) < ofNetwork;
  }

  private count({ host, network }: OutboundPurpose, by: 1 | -1): void {
    this.taken += by;
    addTo(this.hosts, host, by);
    if (network !== undefined) addTo(this.networks, network, by);
  }
}

function addTo(counts: Map<string, number>, name: string, by: 1 | -1): void {
  const count = (counts.get(name) ?? 0) + by;
  if (count === 0) counts.delete(name);
  else counts.set(name, count);
}
