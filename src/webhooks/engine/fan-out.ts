import { Injectable } from '@nestjs/common';
import { DataSource, EntityManager } from 'typeorm';
import { Clock } from '../../config/clock';
import { Environment } from '../../config/environment';
import type { Columns } from '../../database/columns';
import { MIN_ID, newId } from '../../database/id';
import { prepared } from '../../database/prepared';
import { commitTogether, inTransaction } from '../../database/transaction';
import type { EventRow } from '../../events/event.entity';
import type { WebhookDelivery } from '../deliveries/webhook-delivery.entity';
import type { Claim, ClaimedDelivery } from './claims';
import { wakeWorkers } from '../queue/delivery-queue';
import {
  END_EVENTS,
  LOCK_EVENTS,
  LOCK_LISTENING_LANES,
  MAKE_DELIVERIES,
  READ_LISTENING_LANES,
  WAKE_LANES,
} from './fan-out.sql';
import { FOUND_ENDPOINTS } from './found-endpoints';
import { claimFirst, type ListeningLane, type NewDelivery } from './first-claims';
import { planByIndex } from './plan-by-index';
import type { Slots } from '../sending/slots';
import { passing } from '../stations';
import type { WebhookNewEvent } from './webhook-new-event.entity';

/** Tenants per step. */
const TENANTS_PER_STEP = 20;

interface NewEvent
  extends
    Pick<Columns<WebhookNewEvent>, 'tenant_id' | 'event_id'>,
    Pick<Columns<EventRow>, 'type' | 'created_at' | 'traceparent'> {
  /** JSON. */
  data: string;
  /** How many of its deliveries to create in this step. */
  most: number;
  /** How many events of its tenant are in this step at most. */
  room: number;
  endpoint_ids: string[];
}

interface ChosenDelivery extends NewDelivery {
  event: NewEvent;
}

/** What a step creates. */
interface NewDeliveries {
  chosen: readonly ChosenDelivery[];
  /** Events whose last deliveries these are. */
  completedIds: readonly string[];
  /** Their endpoints have these lanes, which are locked. */
  lanes: readonly ListeningLane[];
  now: Date;
}

/** What a step has claimed; without what a claim says about the next one. */
export type FirstClaim = Omit<Claim, 'rest' | 'isShort'>;

/** The part of a process that sends. */
export interface FirstSender {
  /** @returns the slots of the process, if new deliveries may use them now */
  slots: () => Slots | undefined;
  /** Receives what was claimed, after the commit, and takes slots for it. */
  send: (claim: FirstClaim) => void;
}

interface Step {
  events: NewEvent[];
  claim: FirstClaim;
  /** Whether events or deliveries had to be left for another step. */
  isCut: boolean;
}

/** Creates one delivery for every active endpoint that subscribes to an event; tenants take turns (ADR 14). */
@Injectable()
export class FanOut {
  /** The last tenant processed in this round. */
  private position = MIN_ID;

  constructor(
    private readonly dataSource: DataSource,
    private readonly environment: Environment,
    private readonly clock: Clock,
  ) {}

  /**
   * Processes the first events of the next tenants. An event leaves the list of new ones in the transaction that
   * creates the last of its deliveries, so that a process that dies here leaves everything unchanged.
   *
   * @param sender may get some of the new deliveries at once; without one, all of them are queued
   * @returns whether there may be more; what is recorded from now on wakes the loop again
   */
  async step(sender?: FirstSender): Promise<boolean> {
    const from = this.position;
    const reserved = new ReservedSlots();
    const { events, claim, isCut } = await this.advance(from, sender, reserved).catch((error: unknown) => {
      reserved.release();
      throw error;
    });
    const isRoundOver = new Set(events.map(({ tenant_id }) => tenant_id)).size < TENANTS_PER_STEP;
    this.position = isRoundOver ? MIN_ID : (events.at(-1)?.tenant_id ?? MIN_ID);
    passing('fanned out', () => events.map(({ event_id }) => event_id));
    // At the same moment, so that a claim cannot count on them in between.
    reserved.release();
    if (claim.deliveries.length > 0) sender?.send(claim);
    return isCut || !isRoundOver || from !== MIN_ID;
  }

  private advance(from: string, sender: FirstSender | undefined, reserved: ReservedSlots): Promise<Step> {
    return inTransaction(this.dataSource, async (manager) => {
      reserved.release(); // If the transaction is repeated.
      const now = this.clock.now();
      const [, events, , lanes] = await Promise.all([
        planByIndex(manager),
        prepared<NewEvent>(manager, LOCK_EVENTS, [from, TENANTS_PER_STEP]),
        prepared(manager, LOCK_LISTENING_LANES, [FOUND_ENDPOINTS]),
        prepared<ListeningLane>(manager, READ_LISTENING_LANES, [FOUND_ENDPOINTS, now]),
      ]);
      // The other events may have more deliveries; those created now are not chosen again.
      const completed = events.filter(({ endpoint_ids, most }) => endpoint_ids.length < most);
      const completedIds = completed.map(({ event_id }) => event_id);
      const isCut = completed.length < events.length || reachesRoom(events);
      const chosen = events.flatMap((event) =>
        event.endpoint_ids.map((endpoint_id): ChosenDelivery => ({ id: newId(), endpoint_id, event })),
      );
      if (chosen.length > 0) {
        // Not of before the lanes were waited for: a lease would be shorter.
        const made = { chosen, completedIds, lanes, now: this.clock.now() };
        const claim = await this.createDeliveries(manager, made, sender, reserved);
        return { events, claim, isCut };
      }
      if (events.length > 0) {
        await Promise.all([prepared(manager, END_EVENTS, [completedIds]), commitTogether(manager)]);
      }
      return { events, claim: { id: newId(), deliveries: [] }, isCut };
    });
  }

  private async createDeliveries(
    manager: EntityManager,
    { chosen, completedIds, lanes, now }: NewDeliveries,
    sender: FirstSender | undefined,
    reserved: ReservedSlots,
  ): Promise<FirstClaim> {
    const claimId = newId();
    const leaseEnd = now.getTime() + this.environment.webhooksLease * 1_000;
    const slots = sender?.slots();
    const { claimed, moves, hasDue } = claimFirst(chosen, lanes, slots, {
      bound: this.environment.webhooksInFlightPerEndpoint,
      now: now.getTime(),
      leaseEnd,
    });
    const deliveries = toClaimed(
      chosen.filter(({ id }) => claimed.has(id)),
      lanes,
    );
    // Until they are sent, so that a claim that begins meanwhile does not count on the same slots.
    if (slots) reserved.take(slots, deliveries);
    const [created] = await Promise.all([
      prepared<Pick<Columns<WebhookDelivery>, 'id'>>(manager, MAKE_DELIVERIES, [
        chosen.map(({ id }) => id),
        chosen.map(({ event }) => event.event_id),
        chosen.map(({ event }) => event.type),
        chosen.map(({ endpoint_id }) => endpoint_id),
        now,
        [...claimed],
        claimId,
        new Date(leaseEnd),
        completedIds,
      ]),
      moves.length > 0 &&
        prepared(manager, WAKE_LANES, [
          moves.map(({ endpoint_id }) => endpoint_id),
          moves.map(({ wakeAt }) => wakeAt),
          moves.map(({ tokens }) => tokens),
          now,
        ]),
      hasDue && wakeWorkers(manager),
      commitTogether(manager),
    ]);
    const createdIds = new Set(created.map(({ id }) => id));
    return { id: claimId, deliveries: deliveries.filter(({ delivery_id }) => createdIds.has(delivery_id)) };
  }
}

/** Slots that are taken before the commit of a claim. */
class ReservedSlots {
  private slots?: Slots;
  private tenantIds: string[] = [];

  /** @param deliveries to proven lanes */
  take(slots: Slots, deliveries: readonly ClaimedDelivery[]): void {
    this.slots = slots;
    this.tenantIds = deliveries.map(({ tenant_id }) => tenant_id);
    for (const id of this.tenantIds) slots.take(id, false);
  }

  release(): void {
    for (const id of this.tenantIds) this.slots?.give(id, false);
    this.tenantIds = [];
  }
}

/** @returns whether a tenant may have more events than were read */
function reachesRoom(events: readonly NewEvent[]): boolean {
  const counts = new Map<string, number>();
  for (const { tenant_id } of events) counts.set(tenant_id, (counts.get(tenant_id) ?? 0) + 1);
  return events.some(({ tenant_id, room }) => (counts.get(tenant_id) ?? 0) >= room);
}

function toClaimed(chosen: readonly ChosenDelivery[], lanes: readonly ListeningLane[]): ClaimedDelivery[] {
  const byEndpoint = new Map(lanes.map((lane) => [lane.endpoint_id, lane]));
  return chosen.map(({ id, endpoint_id, event }) => {
    const lane = byEndpoint.get(endpoint_id) as ListeningLane;
    return {
      delivery_id: id,
      event_id: event.event_id,
      attempt: 1,
      step: 0,
      type: event.type,
      created_at: event.created_at,
      traceparent: event.traceparent,
      data: event.data,
      endpoint_id,
      target_url: lane.target_url,
      encrypted_query: lane.encrypted_query,
      encrypted_secret: lane.encrypted_secret,
      encrypted_headers: lane.encrypted_headers,
      former: lane.former,
      tenant_id: lane.tenant_id,
      is_doubtful: false,
      generation: lane.generation,
    };
  });
}
