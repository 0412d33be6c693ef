/** How many attempts more a process may begin. */
export interface FreeSlots {
  /** In all. */
  total: number;
  /** Of these, for lanes that are proven: they work. */
  proven: number;
  /** Of these, for lanes that are doubtful: they fail, or have never succeeded. */
  doubtful: number;
}

/**
 * The attempts that this process has under way, by tenant. Doubtful lanes have half of the slots at most, however many
 * they are; an eighth is kept for them, so that what is new is tried however busy the others are.
 */
export class Slots {
  private readonly held = { proven: new Map<string, number>(), doubtful: new Map<string, number>() };
  private readonly count = { proven: 0, doubtful: 0 };

  /** @param total at least 1 */
  constructor(private readonly total: number) {}

  get free(): FreeSlots {
    const total = Math.max(0, this.total - this.count.proven - this.count.doubtful);
    const kept = Math.max(0, Math.floor(this.total / 8) - this.count.doubtful);
    const half = Math.max(1, Math.floor(this.total / 2));
    return {
      total,
      proven: Math.max(0, total - kept),
      doubtful: Math.max(0, Math.min(total, half - this.count.doubtful)),
    };
  }

  /** An attempt begins. */
  take(tenantId: string, isDoubtful: boolean): void {
    const kind = isDoubtful ? 'doubtful' : 'proven';
    this.count[kind] += 1;
    this.held[kind].set(tenantId, this.heldBy(tenantId, isDoubtful) + 1);
  }

  /** It ended. */
  give(tenantId: string, isDoubtful: boolean): void {
    const kind = isDoubtful ? 'doubtful' : 'proven';
    this.count[kind] -= 1;
    const left = this.heldBy(tenantId, isDoubtful) - 1;
    if (left > 0) this.held[kind].set(tenantId, left);
    else this.held[kind].delete(tenantId);
  }

  /**
   * @param tenants that begin attempts
   * @param counts how many each of them begins
   * @returns the slots as they are then
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

  /** @returns whether it may begin one more; the last slot is for a tenant that holds none */
  mayTake(tenantId: string, isDoubtful: boolean): boolean {
    const free = this.free[isDoubtful ? 'doubtful' : 'proven'];
    const held = this.heldBy(tenantId, isDoubtful);
    return free > (held > 0 ? 1 : 0) && held < mostOfTenant(free, held, isDoubtful);
  }

  /** @returns the tenants that hold any for lanes of that kind */
  holders(isDoubtful: boolean): string[] {
    return [...this.held[isDoubtful ? 'doubtful' : 'proven'].keys()];
  }

  /** @returns those of the holders that may get more before one of their attempts ends */
  hungry(isDoubtful: boolean): string[] {
    return this.holders(isDoubtful).filter((id) => this.mayTake(id, isDoubtful));
  }

  /** @returns those of the holders that may not */
  sated(isDoubtful: boolean): string[] {
    const hungry = new Set(this.hungry(isDoubtful));
    return this.holders(isDoubtful).filter((id) => !hungry.has(id));
  }
}

/**
 * How many slots a tenant may hold: half as many as are free then, a quarter where its lanes are doubtful. The more tenants
 * hold slots, the fewer each may hold, so that some stay free for those that come later (after Choudhury and Hahne,
 * "Dynamic queue length thresholds", 1998). Of 112 for proven lanes one tenant gets 37, and twenty leave 12; of 64 for
 * doubtful ones it gets 12, and twenty leave as many.
 *
 * @param free besides those that it holds
 */
export function mostOfTenant(free: number, held: number, isDoubtful: boolean): number {
  return Math.max(1, Math.floor((free + held) / (isDoubtful ? 5 : 3)));
}
