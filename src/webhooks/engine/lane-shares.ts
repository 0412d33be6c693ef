/** An endpoint that fails is tried, not fed. */
const BOUND_WHILE_FAILING = 2;

/** The bucket of a rate limit holds what comes in this time, and at least one token; seconds. */
const BUCKET_SECONDS = 0.25;

/** However quickly tokens come, they are fetched many at a time; milliseconds. */
const LEAST_WAIT_MS = 50;

/** What is known of a lane whose turn it is. */
export interface LaneFacts {
  /** The latest attempt failed. */
  isFailing: boolean;
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
  /** Free in this process, for lanes that work and for lanes that fail. */
  slots: { healthy: number; failing: number };
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
 * Shares the free slots of a process out among the lanes whose turn it is; those that work and those that fail each
 * among themselves. A lane gets
 * - one, when nothing of it is under way anywhere;
 * - its equal share of half of the slots that are left then, but together with what is under way no more than a quarter of
 *   the free slots: the more lanes hold slots, the less each may hold, so they never run out for those that come later
 *   (after Choudhury and Hahne, "Dynamic queue length thresholds", 1998);
 * - together with what is under way no more than its bound;
 * - no more than the token bucket of its rate limit holds.
 *
 * @param lanes who waited longest comes first; no more of either kind than there are slots for it
 * @returns in the same order
 */
export function shareOut(lanes: readonly LaneFacts[], rules: SharingRules): LaneShare[] {
  const shares = new Map<LaneFacts, LaneShare>();
  for (const isFailing of [false, true]) {
    const rivals = lanes.filter((lane) => lane.isFailing === isFailing);
    const slots = isFailing ? rules.slots.failing : rules.slots.healthy;
    const bound = isFailing ? Math.min(BOUND_WHILE_FAILING, rules.bound) : rules.bound;
    const most = Math.min(bound, Math.max(1, Math.floor(slots / 4)));
    let pool = Math.floor(Math.max(0, slots - rivals.filter(({ underWay }) => underWay === 0).length) / 2);
    rivals.forEach((lane, place) => {
      const first = lane.underWay === 0 ? 1 : 0;
      const equalShare = Math.ceil(pool / (rivals.length - place));
      const tokens = tokensOf(lane, rules.now);
      const room = Math.min(
        first + Math.max(0, Math.min(equalShare, most - lane.underWay - first)),
        Math.floor(tokens),
      );
      const take = Math.min(room, lane.due, rules.read - 1);
      pool -= Math.max(0, take - first);
      shares.set(lane, {
        take,
        tokens: lane.rate === null ? 0 : tokens - take,
        wakeAt: wakeAt(lane, take, tokens - take, room === 0 || lane.underWay + take >= most, rules),
      });
    });
  }
  return lanes.map((lane) => shares.get(lane) as LaneShare);
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
