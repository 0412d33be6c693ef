import { type FreeSlots, mostOfTenant } from './slots';

/** A lane that fails is tried, not fed; nor is one of which it is not known that it works. */
const BOUND_WHILE_DOUBTFUL = 2;

/** The bucket of a rate limit holds what comes in this time, and at least one token; seconds. */
const BUCKET_SECONDS = 0.25;

/** However quickly tokens come, they are fetched many at a time; milliseconds. */
const LEAST_WAIT_MS = 50;

/** What is known of a lane whose turn it is. */
export interface LaneFacts {
  /** Deliveries of it that are being sent now, by all processes. */
  underWay: number;
  /** How many are due, as far as was looked: see `SharingRules.read`. */
  due: number;
  /** When the next one is due that is not due yet, or a claim ends; epoch milliseconds; Infinity: never. */
  nextDue: number;
  /** Deliveries a second; null: no limit. */
  rate: number | null;
  /** Of the rate limit's bucket, as of `tokensAt`; null: it was never used. */
  tokens: number;
  tokensAt: number | null;
}

/** A tenant whose turn it is, for its lanes of one kind. */
export interface TenantFacts {
  /** Its lanes here fail, or have never succeeded. */
  isDoubtful: boolean;
  /** Slots of this process that its lanes of this kind hold. */
  held: number;
  /** Those that waited longest come first. */
  lanes: readonly LaneFacts[];
}

/** What a lane gets. */
export interface LaneShare {
  take: number;
  /** What its bucket holds afterwards; 0 without a limit. */
  tokens: number;
  /** When to look at it again; epoch milliseconds; Infinity: never, unless something is queued. */
  wakeAt: number;
}

export interface SharingRules {
  /** Of one endpoint, over all processes. */
  bound: number;
  /** Of this process. */
  slots: FreeSlots;
  /** How many deliveries were looked at: a lane in which so many are due may have more, and does not get all of them. */
  read: number;
  /** Epoch milliseconds. */
  now: number;
  /** When what is taken now is taken over by others unless there is a result; epoch milliseconds. */
  leaseEnd: number;
}

/** @returns how many deliveries of each lane are worth looking at: its share if all have the same, and some more */
export function worthReading(lanes: number, slots: number): number {
  return 4 + Math.ceil(slots / 2 / Math.max(1, lanes));
}

/**
 * Shares the free slots of a process out among the tenants whose turn it is, and what a tenant gets among its lanes;
 * proven and doubtful lanes each among themselves. A tenant gets
 * - one, when it holds none;
 * - its equal share of half of the slots that are left then, but together with those that it holds no more than
 *   `mostOfTenant` of the free ones.
 *
 * A lane gets
 * - one, when nothing of it is under way anywhere and its tenant has any left;
 * - its equal share of the rest, but together with what is under way no more than twice what is left to its tenant then,
 *   so that an endpoint that hangs leaves slots to the others of its tenant;
 * - together with what is under way no more than its bound;
 * - no more than the token bucket of its rate limit holds.
 *
 * @param tenants those that waited longest come first
 * @returns the shares of the lanes of each, in the same order
 */
export function shareOut(tenants: readonly TenantFacts[], rules: SharingRules): LaneShare[][] {
  const shares = new Map<TenantFacts, LaneShare[]>();
  let total = rules.slots.total;
  for (const isDoubtful of [false, true]) {
    const rivals = tenants.filter((tenant) => tenant.isDoubtful === isDoubtful);
    let left = Math.min(total, isDoubtful ? rules.slots.doubtful : rules.slots.proven);
    const free = left;
    let pool = Math.floor(Math.max(0, left - rivals.filter(({ held }) => held === 0).length) / 2);
    rivals.forEach((tenant, place) => {
      const first = tenant.held === 0 ? 1 : 0;
      const equalShare = Math.ceil(pool / (rivals.length - place));
      const room = Math.max(0, mostOfTenant(free, tenant.held, isDoubtful) - tenant.held);
      const wanted = first + Math.max(0, Math.min(equalShare, room - first));
      const ofLanes = shareAmong(tenant, Math.min(wanted, left), Math.max(room, first), rules);
      const taken = ofLanes.reduce((sum, { take }) => sum + take, 0);
      pool -= Math.max(0, taken - first);
      left -= taken;
      total -= taken;
      shares.set(tenant, ofLanes);
    });
  }
  return tenants.map((tenant) => shares.get(tenant) as LaneShare[]);
}

/**
 * @param slots that the tenant gets now
 * @param room that it may get before one of its attempts ends
 */
function shareAmong(tenant: TenantFacts, slots: number, room: number, rules: SharingRules): LaneShare[] {
  const bound = tenant.isDoubtful ? Math.min(BOUND_WHILE_DOUBTFUL, rules.bound) : rules.bound;
  let left = slots;
  let roomLeft = room;
  let pool = Math.max(0, slots - tenant.lanes.filter(({ underWay }) => underWay === 0).length);
  return tenant.lanes.map((lane, place) => {
    const first = lane.underWay === 0 ? 1 : 0;
    const equalShare = Math.ceil(pool / (tenant.lanes.length - place));
    const tokens = tokensOf(lane, rules.now);
    // What of it is under way here is known for all processes only; no more of it than its tenant holds here is.
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

/** @param isFull whether a result must come before the lane can get more */
function wakeAt(lane: LaneFacts, take: number, tokens: number, isFull: boolean, rules: SharingRules): number {
  if (lane.due <= take) return Math.min(lane.nextDue, take > 0 ? rules.leaseEnd : Infinity);
  if (lane.rate !== null && tokens < 1) return rules.now + Math.max(LEAST_WAIT_MS, ((1 - tokens) / lane.rate) * 1_000);
  // If no result comes, the end of a claim does.
  if (isFull) return Math.min(lane.nextDue, rules.leaseEnd);
  return rules.now; // It has its share; now the others.
}
