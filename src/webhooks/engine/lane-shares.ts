import { type FreeSlots, mostOfTenant } from '../sending/slots';

/** A lane that is failing, or has not proved to work, only gets a few deliveries to test it. */
const DOUBTFUL_BOUND = 2;

/** The token bucket of a rate limit holds the tokens of this many seconds, but at least one. */
const BUCKET_SECONDS = 0.25;

/** Minimum wait for tokens, so that they are fetched in batches. */
const MIN_WAIT_MS = 50;

/** The state of a lane whose turn it is. */
export interface LaneFacts {
  /** Its deliveries in flight in all processes. */
  underWay: number;
  /** How many are due, up to `SharingRules.read`. */
  due: number;
  /** When the next delivery becomes due or a claim ends; epoch milliseconds; Infinity for never. */
  nextDue: number;
  /** Deliveries per second; null for no limit. */
  rate: number | null;
  /** Tokens in the rate limit's bucket as of `tokensAt`; `tokensAt` is null if it was never used. */
  tokens: number;
  tokensAt: number | null;
}

/** A tenant whose turn it is, for its lanes of one kind. */
export interface TenantFacts {
  /** Whether these lanes are failing or have never succeeded. */
  isDoubtful: boolean;
  /** Slots of this process held by its lanes of this kind. */
  held: number;
  /** By longest wait first. */
  lanes: readonly LaneFacts[];
}

/** The share of a lane. */
export interface LaneShare {
  take: number;
  /** Tokens left in its bucket; 0 without a limit. */
  tokens: number;
  /** When to check it again; epoch milliseconds; Infinity for never, unless something is queued. */
  wakeAt: number;
}

export interface SharingRules {
  /** Maximum attempts in flight to one endpoint, across all processes. */
  bound: number;
  /** The free slots of this process. */
  slots: FreeSlots;
  /** How many deliveries per lane were read. A lane with this many due may have more, and does not get all of them. */
  read: number;
  /** Epoch milliseconds. */
  now: number;
  /** When other processes reclaim deliveries without a result; epoch milliseconds. */
  leaseEnd: number;
}

/**
 * Divides the free slots of a process among the tenants whose turn it is, and a tenant's slots among its lanes; proven
 * and doubtful lanes separately. A tenant gets
 * - one, if it holds none;
 * - an equal share of half of the slots that are left then, but including those that it holds no more than
 *   `mostOfTenant` of the free ones.
 *
 * A lane gets
 * - one, if none of its deliveries is in flight anywhere and its tenant has any left;
 * - an equal share of the rest, but including those in flight no more than twice what its tenant has left then, so that
 *   a hanging endpoint leaves slots to the others of its tenant;
 * - including those in flight, no more than its bound;
 * - no more than the tokens in the bucket of its rate limit.
 *
 * @param tenants by longest wait first
 * @returns the shares of the lanes of each tenant, in the same order
 */
export function shareOut(tenants: readonly TenantFacts[], rules: SharingRules): LaneShare[][] {
  const shares = new Map<TenantFacts, LaneShare[]>();
  let total = rules.slots.total;
  for (const isDoubtful of [false, true]) {
    const sameKind = tenants.filter((tenant) => tenant.isDoubtful === isDoubtful);
    let left = Math.min(total, isDoubtful ? rules.slots.doubtful : rules.slots.proven);
    const free = left;
    let pool = Math.floor(Math.max(0, left - sameKind.filter(({ held }) => held === 0).length) / 2);
    sameKind.forEach((tenant, place) => {
      const first = tenant.held === 0 ? 1 : 0;
      const equalShare = Math.ceil(pool / (sameKind.length - place));
      const room = Math.max(0, mostOfTenant(free, tenant.held, isDoubtful) - tenant.held);
      const share = first + Math.max(0, Math.min(equalShare, room - first));
      const laneShares = shareAmong(tenant, Math.min(share, left), Math.max(room, first), rules);
      const taken = laneShares.reduce((sum, { take }) => sum + take, 0);
      pool -= Math.max(0, taken - first);
      left -= taken;
      total -= taken;
      shares.set(tenant, laneShares);
    });
  }
  return tenants.map((tenant) => shares.get(tenant) as LaneShare[]);
}

/**
 * @param bound maximum attempts in flight to one endpoint, across all processes
 * @returns the same for a lane of this kind
 */
export function mostOfLane(isDoubtful: boolean, bound: number): number {
  return isDoubtful ? Math.min(DOUBTFUL_BOUND, bound) : bound;
}

/**
 * @param slots slots that the tenant gets now
 * @param room slots that it may get before one of its attempts ends
 */
function shareAmong(tenant: TenantFacts, slots: number, room: number, rules: SharingRules): LaneShare[] {
  const bound = mostOfLane(tenant.isDoubtful, rules.bound);
  let left = slots;
  let roomLeft = room;
  let pool = Math.max(0, slots - tenant.lanes.filter(({ underWay }) => underWay === 0).length);
  return tenant.lanes.map((lane, place) => {
    const first = lane.underWay === 0 ? 1 : 0;
    const equalShare = Math.ceil(pool / (tenant.lanes.length - place));
    const tokens = tokensOf(lane, rules.now);
    // `underWay` counts all processes; in this one it is at most what the tenant holds.
    const most = Math.min(bound, Math.max(1, Math.floor(((roomLeft + Math.min(lane.underWay, tenant.held)) * 2) / 3)));
    const share = first + Math.max(0, Math.min(equalShare, most - lane.underWay - first));
    const take = Math.min(share, left, Math.floor(tokens), lane.due, rules.read - 1);
    pool -= Math.max(0, take - first);
    left -= take;
    roomLeft -= take;
    return {
      take,
      tokens: lane.rate === null ? 0 : tokens - take,
      wakeAt: wakeAt(lane, take, tokens - take, lane.underWay + take >= most, rules),
    };
  });
}

function tokensOf({ rate, tokens, tokensAt }: LaneFacts, now: number): number {
  if (rate === null) return Infinity;
  const depth = Math.max(1, rate * BUCKET_SECONDS);
  return tokensAt === null ? depth : Math.min(depth, tokens + (rate * Math.max(0, now - tokensAt)) / 1_000);
}

/** @param isFull whether the lane can get more only after a result */
function wakeAt(lane: LaneFacts, take: number, tokens: number, isFull: boolean, rules: SharingRules): number {
  if (lane.due <= take) return Math.min(lane.nextDue, take > 0 ? rules.leaseEnd : Infinity);
  if (lane.rate !== null && tokens < 1) return rules.now + Math.max(MIN_WAIT_MS, ((1 - tokens) / lane.rate) * 1_000);
  // If no result arrives, the claim ends eventually.
  if (isFull) return Math.min(lane.nextDue, rules.leaseEnd);
  return rules.now; // It has its share; others go first.
}
