import type { Columns } from '../../database/columns';
import type { SealedCredentials } from '../endpoints/endpoint-credentials';
import type { LaneFacts, SharingRules, TenantFacts } from './lane-shares';
import { mostOfLane, shareOut } from './lane-shares';
import type { Slots } from '../sending/slots';
import type { WebhookLane } from '../queue/webhook-lane.entity';

/** A locked lane for which deliveries are being created. */
export interface ListeningLane
  extends
    SealedCredentials,
    Pick<Columns<WebhookLane>, 'tenant_id' | 'generation' | 'wake_at' | 'tokens' | 'tokens_at'> {
  is_doubtful: boolean;
  rate: number | null;
  under_way: number;
  /** Whether deliveries that were created before are due. */
  has_due: boolean;
}

/** A delivery that is being created. */
export interface NewDelivery {
  id: string;
  endpoint_id: string;
}

/** A lane whose wake-up time or tokens change. */
export interface LaneMove {
  endpoint_id: string;
  wakeAt: Date;
  /** Null to keep them. */
  tokens: number | null;
}

/** What is claimed of new deliveries. */
export interface FirstClaims {
  /** Ids of deliveries. */
  claimed: ReadonlySet<string>;
  moves: LaneMove[];
  /** Whether a claim might take some of the others. */
  hasDue: boolean;
}

interface Share {
  take: number;
  /** Epoch milliseconds. */
  wakeAt: number;
  tokens: number | null;
}

/**
 * Decides which deliveries are claimed in the transaction that creates them, so that they are sent at once: those of
 * proven lanes that have nothing else due, by the same shares as in a claim. All others are queued; a lane that already
 * waits for its turn does not get it earlier by a new event. Nor does one that has as many attempts in flight as it may:
 * the result of one of them wakes it, and until then a claim would find nothing to do.
 *
 * @param slots of this process; undefined to claim nothing
 * @param rules without the slots
 */
export function claimFirst(
  deliveries: readonly NewDelivery[],
  lanes: readonly ListeningLane[],
  slots: Slots | undefined,
  rules: Pick<SharingRules, 'bound' | 'now' | 'leaseEnd'>,
): FirstClaims {
  const byEndpoint = new Map<string, NewDelivery[]>(lanes.map(({ endpoint_id }) => [endpoint_id, []]));
  for (const delivery of deliveries) byEndpoint.get(delivery.endpoint_id)?.push(delivery);
  const shares = slots ? sharesOf(lanes, byEndpoint, slots, rules) : new Map<string, Share>();
  const claimed = new Set<string>();
  const moves: LaneMove[] = [];
  let hasDue = false;
  for (const { endpoint_id, wake_at, is_doubtful, under_way } of lanes) {
    if (wake_at !== null && under_way >= mostOfLane(is_doubtful, rules.bound)) continue;
    const share = shares.get(endpoint_id) ?? { take: 0, wakeAt: rules.now, tokens: null };
    const { take, tokens } = share;
    // Enabled again with attempts of before in flight: their claims may end earlier, which only a claim looks for.
    const wakeAt = wake_at === null && under_way > 0 ? rules.now : share.wakeAt;
    const ofLane = byEndpoint.get(endpoint_id) ?? [];
    for (const { id } of ofLane.slice(0, take)) claimed.add(id);
    hasDue ||= take < ofLane.length;
    // A lane that wakes early enough keeps its time: at a steady pace no lane is written, and no tenant.
    const isLate = wake_at === null || wake_at.getTime() > wakeAt;
    if (isLate || tokens !== null) moves.push({ endpoint_id, wakeAt: isLate ? new Date(wakeAt) : wake_at, tokens });
  }
  return { claimed, moves, hasDue };
}

function sharesOf(
  lanes: readonly ListeningLane[],
  byEndpoint: ReadonlyMap<string, readonly NewDelivery[]>,
  slots: Slots,
  rules: Pick<SharingRules, 'bound' | 'now' | 'leaseEnd'>,
): Map<string, Share> {
  const byTenant = new Map<string, ListeningLane[]>();
  for (const lane of lanes) {
    if (lane.is_doubtful || lane.has_due) continue;
    const ofTenant = byTenant.get(lane.tenant_id);
    if (ofTenant) ofTenant.push(lane);
    else byTenant.set(lane.tenant_id, [lane]);
  }
  const tenants: TenantFacts[] = [...byTenant].map(([id, ofTenant]) => ({
    isDoubtful: false,
    held: slots.heldBy(id, false),
    lanes: ofTenant.map((lane) => toFacts(lane, byEndpoint.get(lane.endpoint_id)?.length ?? 0)),
  }));
  const ofTenants = shareOut(tenants, { ...rules, slots: slots.free, read: Infinity });
  const shares = new Map<string, Share>();
  [...byTenant.values()].forEach((ofTenant, place) =>
    ofTenant.forEach(({ endpoint_id, rate }, index) => {
      const share = ofTenants[place]?.[index];
      if (!share) return;
      const { take, wakeAt, tokens } = share;
      shares.set(endpoint_id, { take, wakeAt, tokens: rate === null || take === 0 ? null : tokens });
    }),
  );
  return shares;
}

function toFacts(lane: ListeningLane, count: number): LaneFacts {
  return {
    underWay: lane.under_way,
    due: count,
    // What is queued besides is due no earlier than the lane wakes.
    nextDue: Infinity,
    rate: lane.rate,
    tokens: lane.tokens,
    tokensAt: lane.tokens_at?.getTime() ?? null,
  };
}
