import type { DataSource } from 'typeorm';
import { v7 } from 'uuid';
import { DECLARED } from '../../src/app.module';
import type { DeliveryStatus } from '../../src/webhooks/deliveries/delivery-status';

/** The organisation or the person to whom events belong. */
export interface Owner {
  orgId?: string;
  ownerId?: string;
}

/** A UUID version 7 of that time. */
export function idAt(at: Date): string {
  return v7({ msecs: at.getTime() });
}

/** The data of the catalogue's example. */
export function exampleOf(type: string): object {
  return DECLARED.events.all.find(({ event_type }) => event_type === type)?.example.data ?? {};
}

/** An event by SQL, with the data of the catalogue's example. */
export async function createEvent(
  dataSource: DataSource,
  owner: Owner,
  fields: { type?: string; at?: Date; createdAt?: Date; data?: object } = {},
): Promise<string> {
  const { type = 'bundle.created', at = new Date() } = fields;
  const id = idAt(at);
  await dataSource.query(
    `INSERT INTO events (id, type, org_id, owner_id, data, created_at) VALUES ($1, $2, $3, $4, $5, $6)`,
    [
      id,
      type,
      owner.orgId ?? null,
      owner.orgId ? null : owner.ownerId,
      JSON.stringify({ ...exampleOf(type), ...fields.data }),
      fields.createdAt ?? at,
    ],
  );
  return id;
}

export interface DeliveryFields {
  eventId?: string;
  type?: string;
  status?: DeliveryStatus;
  attemptCount?: number;
  responseStatus?: number | null;
  error?: string | null;
  /** When it was made. */
  at?: Date;
  lastAttemptAt?: Date;
}

export interface MadeDelivery {
  id: string;
  eventId: string;
}

/** Deliveries by SQL, without events unless they are named, and in no queue. */
export async function createDeliveries(
  dataSource: DataSource,
  endpointId: string,
  deliveries: readonly DeliveryFields[],
): Promise<MadeDelivery[]> {
  const rows = deliveries.map(({ at = new Date(), ...fields }) => ({
    id: idAt(at),
    event_id: fields.eventId ?? idAt(at),
    event_type: fields.type ?? 'bundle.created',
    status: fields.status ?? 'SUCCEEDED',
    attempt_count: fields.attemptCount ?? 0,
    response_status: fields.responseStatus ?? null,
    response_class: Math.floor((fields.responseStatus ?? 0) / 100),
    error: fields.error ?? null,
    last_attempt_at: fields.lastAttemptAt ?? null,
  }));
  await dataSource.query(
    `INSERT INTO webhook_deliveries
     SELECT row.* FROM jsonb_array_elements($2) AS element
     CROSS JOIN jsonb_populate_record(NULL::webhook_deliveries, element || jsonb_build_object('endpoint_id', $1::text)) AS row`,
    [endpointId, JSON.stringify(rows)],
  );
  return rows.map(({ id, event_id }) => ({ id, eventId: event_id }));
}

export async function createDelivery(
  dataSource: DataSource,
  endpointId: string,
  fields: DeliveryFields = {},
): Promise<MadeDelivery> {
  const [made] = await createDeliveries(dataSource, endpointId, [fields]);
  return made as MadeDelivery;
}

/** Puts a delivery into the queue, as the engine does. */
export async function queueDelivery(
  dataSource: DataSource,
  endpointId: string,
  { id, eventId }: MadeDelivery,
  fields: { dueAt?: Date; claimId?: string; generation?: number; step?: number; attempt?: number } = {},
): Promise<void> {
  await dataSource.query(
    `INSERT INTO webhook_queue (delivery_id, endpoint_id, event_id, generation, step, attempt, due_at, claim_id)
     SELECT $1, $2, $3, COALESCE($4, generation), $5, $6, $7, $8 FROM webhook_lanes WHERE endpoint_id = $2`,
    [
      id,
      endpointId,
      eventId,
      fields.generation ?? null,
      fields.step ?? 0,
      fields.attempt ?? 0,
      fields.dueAt ?? new Date(),
      fields.claimId ?? null,
    ],
  );
}

/** A row of the queue, as far as tests look at it. */
export interface Queued {
  delivery_id: string;
  event_id: string;
  generation: number;
  step: number;
  attempt: number;
  due_at: Date;
  claim_id: string | null;
}

/** What is queued for an endpoint, void rows too, by delivery. */
export function queueOf(dataSource: DataSource, endpointId: string): Promise<Queued[]> {
  return dataSource.query(
    `SELECT delivery_id, event_id, generation, step, attempt, due_at, claim_id FROM webhook_queue
     WHERE endpoint_id = $1 ORDER BY delivery_id`,
    [endpointId],
  );
}
