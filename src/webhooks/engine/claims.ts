import { Injectable } from '@nestjs/common';
import { DataSource, EntityManager } from 'typeorm';
import { Clock } from '../../config/clock';
import { Environment } from '../../config/environment';
import { newId } from '../../database/id';
import { prepared } from '../../database/prepared';
import { inTransaction } from '../../database/transaction';
import type { SealedCredentials } from '../endpoint-credentials';
import { CLAIM, LOCK_DUE_LANES, MOVE_LANES, NEXT_WAKE, READ_LANES } from './claims.sql';
import { LaneFacts, shareOut, worthReading } from './lane-shares';

/** When another process is at the lanes that are due. */
const SHORT_REST_MS = 5;

/** A delivery that this process is to send now. */
export interface ClaimedDelivery extends SealedCredentials {
  delivery_id: string;
  event_id: string;
  /** Its number, from 1. */
  attempt: number;
  /** Its place in the retry schedule, from 0. */
  step: number;
  /** Whether the latest attempt of its endpoint failed. */
  is_failing: boolean;
  /** Of its lane: another one once it was disabled. */
  generation: number;
  target_url: string;
  type: string;
  created_at: Date;
  /** JSON. */
  data: string;
}

/** What a process got, under one claim. */
export interface Claim {
  id: string;
  deliveries: ClaimedDelivery[];
  /** Milliseconds until it is worth asking again. */
  rest: number;
}

interface LockedLane {
  endpoint_id: string;
  is_failing: boolean;
}

interface LaneRow extends LockedLane {
  generation: number;
  tokens: number;
  tokens_at: Date | null;
  rate: number | null;
  under_way: number;
  due: string[];
  next_due: Date | null;
}

/** Who sends what: fair between endpoints, within their bounds and rate limits over all processes (ADR 7). */
@Injectable()
export class Claims {
  constructor(
    private readonly dataSource: DataSource,
    private readonly environment: Environment,
    private readonly clock: Clock,
  ) {}

  /**
   * Takes what is due, and has it until the lease ends.
   *
   * @param healthy free slots for endpoints that work
   * @param failing free slots for those whose latest attempt failed
   */
  async take(healthy: number, failing: number): Promise<Claim> {
    const id = newId();
    const now = this.clock.now();
    return inTransaction(this.dataSource, async (manager) => {
      const locked = await prepared<LockedLane>(manager, LOCK_DUE_LANES, [now, healthy, failing]);
      const deliveries = locked.length === 0 ? [] : await this.claim(manager, id, locked, { healthy, failing }, now);
      const [next] = await prepared<{ wake_at: Date | null }>(manager, NEXT_WAKE, [healthy > 0, failing > 0]);
      const rest = (next?.wake_at?.getTime() ?? Infinity) - now.getTime();
      return { id, deliveries, rest: Math.max(rest, locked.length === 0 ? SHORT_REST_MS : 0) };
    });
  }

  private async claim(
    manager: EntityManager,
    id: string,
    locked: LockedLane[],
    slots: { healthy: number; failing: number },
    now: Date,
  ): Promise<ClaimedDelivery[]> {
    const leaseEnd = now.getTime() + this.environment.webhooksLease * 1_000;
    const read = worthReading(locked.filter(({ is_failing }) => !is_failing).length, slots.healthy);
    const rows = await prepared<LaneRow>(manager, READ_LANES, [
      locked.map(({ endpoint_id }) => endpoint_id),
      now,
      read,
      locked.map(({ is_failing }) => is_failing),
    ]);
    const shares = shareOut(rows.map(toFacts), {
      bound: this.environment.webhooksInFlightPerEndpoint,
      slots,
      read,
      now: now.getTime(),
      leaseEnd,
    });
    const wanted = rows.flatMap(({ due }, index) => due.slice(0, shares[index]?.take));
    const deliveries =
      wanted.length === 0 ? [] : await prepared<ClaimedDelivery>(manager, CLAIM, [wanted, new Date(leaseEnd), id, now]);
    await prepared(manager, MOVE_LANES, [
      rows.map(({ endpoint_id }) => endpoint_id),
      shares.map(({ wakeAt }) => (wakeAt === Infinity ? null : new Date(wakeAt))),
      shares.map(({ tokens }) => tokens),
      now,
    ]);
    const lanes = new Map(rows.map((row) => [row.endpoint_id, row]));
    return deliveries.map((delivery) => {
      const { is_failing, generation } = lanes.get(delivery.endpoint_id) as LaneRow;
      return { ...delivery, is_failing, generation };
    });
  }
}

function toFacts(row: LaneRow): LaneFacts {
  return {
    isFailing: row.is_failing,
    underWay: row.under_way,
    due: row.due.length,
    nextDue: row.next_due?.getTime() ?? Infinity,
    rate: row.rate,
    tokens: row.tokens,
    tokensAt: row.tokens_at?.getTime() ?? null,
  };
}
