/** How many more attempts a process may start. */
export interface FreeSlots {
  /** In total. */
  total: number;
  /** So many of these are for proven lanes, which are known to work. */
  proven: number;
  /** So many of these are for doubtful lanes, which are failing or have never succeeded. */
  doubtful: number;
}

/**
 * The attempts of this process in flight, by tenant. Doubtful lanes get at most half of the slots, however many they
 * are; an eighth is reserved for them, so that new endpoints are tried however busy the others are.
 */
export class Slots {
  private readonly held = { proven: new Map<string, number>(), doubtful: new Map<string, number>() };
  private readonly count = { proven: 0, doubtful: 0 };

  /** @param total at least 1 */
  constructor(private readonly total: number) {}

  get free(): FreeSlots {
    const total = Math.max(0, this.total - this.count.proven - this.count.doubtful);
    const reserved = Math.max(0, Math.floor(this.total / 8) - this.count.doubtful);
    const half = Math.max(1, Math.floor(this.total / 2));
    return {
      total,
      proven: Math.max(0, total - reserved),
      doubtful: Math.max(0, Math.min(total, half - this.count.doubtful)),
    };
  }

  /** Whether more than half are free, so that nothing that is due waits for one. */
  get isMostlyFree(): boolean {
    return this.free.proven > this.total / 2;
  }

  /** Call when an attempt starts. */
  take(tenantId: string, isDoubtful: boolean): void {
    const kind = isDoubtful ? 'doubtful' : 'proven';
    this.count[kind] += 1;
    this.held[kind].set(tenantId, this.heldBy(tenantId, isDoubtful) + 1);
  }

  /** Call when an attempt ends. */
  give(tenantId: string, isDoubtful: boolean): void {
    const kind = isDoubtful ? 'doubtful' : 'proven';
    this.count[kind] -= 1;
    const remaining = this.heldBy(tenantId, isDoubtful) - 1;
    if (remaining > 0) this.held[kind].set(tenantId, remaining);
    else this.held[kind].delete(tenantId);
  }

  /**
   * @param tenants that start attempts
   * @param counts how many attempts each of them starts
   * @returns the slots after that
   */
  after(tenants: readonly { id: string; isDoubtful: boolean }[], counts: readonly number[]): Slots {
    const slots = new Slots(this.total);
    for (const kind of ['proven', 'doubtful'] as const) {
      slots.count[kind] = this.count[kind];
      for (const [id, held] of this.held[kind]) slots.held[kind].set(id, held);
    }
    tenants.forEach(({ id, isDoubtful }, place) => {
      for (let n = 0; n < (counts[place] ?? 0); n++) slots.take(id, isDoubtful);
    });
    return slots;
  }

  heldBy(tenantId: string, isDoubtful: boolean): number {
    return this.held[isDoubtful ? 'doubtful' : 'proven'].get(tenantId) ?? 0;
  }

  /** @returns whether the tenant may start another attempt; the last slot is reserved for a tenant that holds none */
  mayTake(tenantId: string, isDoubtful: boolean): boolean {
    const free = this.free[isDoubtful ? 'doubtful' : 'proven'];
    const held = this.heldBy(tenantId, isDoubtful);
    return free > (held > 0 ? 1 : 0) && held < mostOfTenant(free, held, isDoubtful);
  }

  /** @returns the tenants that hold slots for lanes of this kind */
  holders(isDoubtful: boolean): string[] {
    return [...this.held[isDoubtful ? 'doubtful' : 'proven'].keys()];
  }

  /** @returns the holders that may get more before one of their attempts ends */
  hungry(isDoubtful: boolean): string[] {
    return this.holders(isDoubtful).filter((id) => this.mayTake(id, isDoubtful));
  }

  /** @returns the holders that may not get more before one of their attempts ends */
  sated(isDoubtful: boolean): string[] {
    const hungry = new Set(this.hungry(isDoubtful));
    return this.holders(isDoubtful).filter((id) => !hungry.has(id));
  }
}

/**
 * How many slots a tenant may hold: half as many as then remain free, or a quarter if its lanes are doubtful. The more
 * tenants hold slots, the fewer each may hold, so that some stay free for later ones (after Choudhury and Hahne,
 * "Dynamic queue length thresholds", 1998). Of 336 slots for proven lanes, one tenant gets 112, and twenty leave 32
 * free; of 192 for doubtful lanes, one gets 38, and twenty leave 32 free.
 *
 * @param free free slots, not counting those that the tenant holds
 */
export function mostOfTenant(free: number, held: number, isDoubtful: boolean): number {
  return Math.max(1, Math.floor((free + held) / (isDoubtful ? 5 : 3)));
}
