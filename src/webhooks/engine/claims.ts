import { Injectable } from '@nestjs/common';
import { DataSource, EntityManager } from 'typeorm';
import { Clock } from '../../config/clock';
import { Environment } from '../../config/environment';
import type { Columns } from '../../database/columns';
import { newId } from '../../database/id';
import { prepared } from '../../database/prepared';
import { commitTogether, inTransaction } from '../../database/transaction';
import type { EventRow } from '../../events/event.entity';
import type { SealedCredentials } from '../endpoints/endpoint-credentials';
import { DeliveryCounters } from '../queue/delivery-counters';
import { CLAIM, LOCK_DUE, MOVE_LANES, MOVE_TENANTS, READ_LANES } from './claims.sql';
import { FOUND_ENDPOINTS } from './found-endpoints';
import { LaneFacts, type LaneShare, shareOut, type TenantFacts } from './lane-shares';
import { planByIndex } from './plan-by-index';
import type { Slots } from '../sending/slots';
import type { WebhookLane } from '../queue/webhook-lane.entity';
import type { WebhookQueueRow } from '../queue/webhook-queue.entity';
import type { WebhookTenant } from './webhook-tenant.entity';

/** Pause if another process has locked the tenants that are due. */
const SHORT_PAUSE_MS = 5;

/** A delivery that this process sends now. */
export interface ClaimedDelivery
  extends
    SealedCredentials,
    Pick<Columns<WebhookQueueRow>, 'delivery_id' | 'event_id' | 'attempt' | 'step'>,
    Pick<Columns<EventRow>, 'type' | 'created_at' | 'traceparent'> {
  /** The owner of its endpoint. */
  tenant_id: string;
  /** Whether its endpoint is failing or has never succeeded. */
  is_doubtful: boolean;
  /** The generation of its lane; changes when the endpoint is disabled. */
  generation: number;
  /** JSON. */
  data: string;
}

/** The deliveries that a process claimed together. */
export interface Claim {
  id: string;
  deliveries: ClaimedDelivery[];
  /** Milliseconds until the next claim is worthwhile. */
  rest: number;
  /** Whether something may be due that waits for a slot, and so for the end of an attempt of this process. */
  isShort: boolean;
}

interface DueRow extends Pick<Columns<WebhookTenant>, 'tenant_id' | 'is_doubtful'> {
  /** Null if none of its lanes could be locked. */
  endpoint_id: string | null;
}

interface LaneRow extends Pick<Columns<WebhookLane>, 'endpoint_id' | 'generation' | 'tokens' | 'tokens_at'> {
  rate: number | null;
  under_way: number;
  /** How many were read at most. */
  read: number;
  due: string[];
  /** These were claimed before, and are due again because their lease ended. */
  abandoned: string[];
  next_due: Date | null;
}

/** A locked lane. */
interface DueLane extends LaneFacts {
  row: LaneRow;
}

/** A locked tenant with its locked lanes. */
interface DueTenant extends TenantFacts {
  id: string;
  lanes: DueLane[];
}

type ClaimedRow = Omit<ClaimedDelivery, 'tenant_id' | 'is_doubtful' | 'generation'>;

/**
 * Decides which deliveries this process sends: fair between tenants and between the endpoints of each (ADR 14), within
 * the bounds and rate limits of endpoints across all processes (ADR 7).
 */
@Injectable()
export class Claims {
  constructor(
    private readonly dataSource: DataSource,
    private readonly environment: Environment,
    private readonly clock: Clock,
    private readonly counters: DeliveryCounters,
  ) {}

  /**
   * Claims due deliveries until the lease ends. Does not change the slots: attempts take them when they start.
   *
   * @param slots of this process
   * @param onCount is called when it begins to count on the slots that are free, before it shares them out
   */
  async take(slots: Slots, onCount?: () => void): Promise<Claim> {
    return (await this.takeAfter(slots, () => Promise.resolve(), onCount)).claim;
  }

  /**
   * The same in one transaction with statements before it, whose effects it sees.
   *
   * @param issue issues them, at once, so that they go with the first ones of the claim
   * @returns their result, too
   * @throws what either of them throws; then neither has happened
   */
  async takeAfter<T>(
    slots: Slots,
    issue: (manager: EntityManager) => Promise<T>,
    onCount: () => void = () => undefined,
  ): Promise<{ before: T; claim: Claim }> {
    const id = newId();
    const { webhooksInFlightPerEndpoint: bound, webhooksLease } = this.environment;
    const { before, claim, abandoned } = await inTransaction(this.dataSource, async (manager) => {
      const asked = this.clock.now();
      const [, before, due, lanes] = await Promise.all([
        planByIndex(manager),
        issue(manager),
        prepared<DueRow>(manager, LOCK_DUE, [
          asked,
          slots.free.proven,
          slots.free.doubtful,
          slots.holders(false),
          slots.hungry(false),
          slots.holders(true),
          slots.hungry(true),
        ]),
        prepared<LaneRow>(manager, READ_LANES, [FOUND_ENDPOINTS, asked, slots.free.total, bound]),
      ]);
      // What came before may have waited for lanes: neither the lease nor the tokens of a rate limit begin before that.
      const now = this.clock.now();
      onCount();
      const tenants = groupByTenant(due, lanes, slots);
      const leaseEnd = now.getTime() + webhooksLease * 1_000;
      const shares = shareOut(tenants, {
        bound,
        slots: slots.free,
        read: lanes[0]?.read ?? 0,
        now: now.getTime(),
        leaseEnd,
      });
      const [deliveries, { rest, isShort }] = await Promise.all([
        this.claim(manager, id, tenants, shares, now, leaseEnd),
        this.restAfter(manager, tenants, shares, slots, now),
        commitTogether(manager),
      ]);
      return {
        before,
        claim: { id, deliveries, rest: Math.max(rest, lanes.length === 0 ? SHORT_PAUSE_MS : 0), isShort },
        abandoned: new Set(lanes.flatMap((lane) => lane.abandoned)),
      };
    });
    if (abandoned.size > 0)
      this.counters.addTakeovers(claim.deliveries.filter(({ delivery_id }) => abandoned.has(delivery_id)).length);
    return { before, claim };
  }

  private async claim(
    manager: EntityManager,
    id: string,
    tenants: DueTenant[],
    shares: LaneShare[][],
    now: Date,
    leaseEnd: number,
  ): Promise<ClaimedDelivery[]> {
    const lanes = tenants.flatMap((tenant, place) =>
      tenant.lanes.map((lane, index) => ({ tenant, lane, share: shares[place]?.[index] as LaneShare })),
    );
    if (lanes.length === 0) return [];
    const deliveryIds = lanes.flatMap(({ lane, share }) => lane.row.due.slice(0, share.take));
    const [claimed] = await Promise.all([
      deliveryIds.length === 0 ? [] : prepared<ClaimedRow>(manager, CLAIM, [deliveryIds, new Date(leaseEnd), id, now]),
      prepared(manager, MOVE_LANES, [
        lanes.map(({ lane }) => lane.row.endpoint_id),
        lanes.map(({ share }) => (share.wakeAt === Infinity ? null : new Date(share.wakeAt))),
        lanes.map(({ share }) => share.tokens),
        now,
      ]),
    ]);
    const byEndpoint = new Map(lanes.map((entry) => [entry.lane.row.endpoint_id, entry]));
    return claimed.map((row) => {
      const { tenant, lane } = byEndpoint.get(row.endpoint_id) as (typeof lanes)[number];
      return { ...row, tenant_id: tenant.id, is_doubtful: tenant.isDoubtful, generation: lane.row.generation };
    });
  }

  /**
   * Sets the wake-up times of the tenants, from those of the lanes: issue it after `claim`.
   *
   * @returns milliseconds until something is due that a slot is free for, and whether other tenants wait for a slot
   */
  private async restAfter(
    manager: EntityManager,
    tenants: DueTenant[],
    shares: LaneShare[][],
    slots: Slots,
    now: Date,
  ): Promise<Pick<Claim, 'rest' | 'isShort'>> {
    const after = slots.after(tenants, shares.map(sumOf));
    // Tenants that are due but got nothing wait for the end of an attempt, which wakes this process.
    const refused = tenants.filter((_, place) => {
      const ofLanes = shares[place] ?? [];
      return sumOf(ofLanes) === 0 && ofLanes.some(({ wakeAt }) => wakeAt <= now.getTime());
    });
    const idsOf = (subset: readonly DueTenant[], isDoubtful: boolean) =>
      subset.flatMap((tenant) => (tenant.isDoubtful === isDoubtful ? [tenant.id] : []));
    const waiting = (isDoubtful: boolean) => [...after.sated(isDoubtful), ...idsOf(refused, isDoubtful)];
    const hasFree = { proven: after.free.proven > 0, doubtful: after.free.doubtful > 0 };
    const waitingTenants = { proven: waiting(false), doubtful: waiting(true) };
    const [next] = await prepared<{ wake_at: Date | null }>(manager, MOVE_TENANTS, [
      tenants.map(({ id }) => id),
      tenants.map(({ isDoubtful }) => isDoubtful),
      hasFree.proven,
      hasFree.doubtful,
      waitingTenants.proven,
      waitingTenants.doubtful,
      now,
      idsOf(tenants, false),
      idsOf(tenants, true),
    ]);
    const isShort =
      !hasFree.proven || !hasFree.doubtful || waitingTenants.proven.length + waitingTenants.doubtful.length > 0;
    return { rest: (next?.wake_at?.getTime() ?? Infinity) - now.getTime(), isShort };
  }
}

function groupByTenant(due: readonly DueRow[], rows: readonly LaneRow[], slots: Slots): DueTenant[] {
  const lanes = new Map(rows.map((row) => [row.endpoint_id, toLane(row)]));
  const tenants = new Map<string, DueTenant>();
  for (const { tenant_id: id, is_doubtful: isDoubtful, endpoint_id } of due) {
    const key = `${id} ${isDoubtful}`;
    const tenant = tenants.get(key) ?? { id, isDoubtful, held: slots.heldBy(id, isDoubtful), lanes: [] };
    tenants.set(key, tenant);
    const lane = endpoint_id === null ? undefined : lanes.get(endpoint_id);
    if (lane) tenant.lanes.push(lane);
  }
  return [...tenants.values()];
}

function sumOf(shares: readonly LaneShare[]): number {
  return shares.reduce((sum, { take }) => sum + take, 0);
}

function toLane(row: LaneRow): DueLane {
  return {
    row,
    underWay: row.under_way,
    due: row.due.length,
    nextDue: row.next_due?.getTime() ?? Infinity,
    rate: row.rate,
    tokens: row.tokens,
    tokensAt: row.tokens_at?.getTime() ?? null,
  };
}
