import { RecoveryRunner } from '../../src/webhooks/deliveries/recovery-runner';
import type { Api } from './api';
import type { WebhookEndpointCreate, WebhookRecovery, WebhookRecoveryCreate } from './api-types';
import type { FakeClock, TestApp } from './app';
import { createDelivery, createEvent, DeliveryFields, Owner, queueOf } from './deliveries';
import { Cast, createCast, createEndpoint } from './factories';

const HOUR_MS = 3_600_000;

/** An endpoint of an organisation of its own, so that nobody else's events are its. */
export interface Scene extends Cast {
  endpointId: string;
  owns: Owner;
}

/** Asks for recoveries, and takes their steps by hand: the application has no worker. */
export class Recoveries {
  readonly runner: RecoveryRunner;

  constructor(
    private readonly test: TestApp,
    private readonly clock: FakeClock,
  ) {
    this.runner = test.app.get(RecoveryRunner);
  }

  ago(hours: number, ms = 0): Date {
    return new Date(this.clock.time.getTime() - hours * HOUR_MS + ms);
  }

  async newScene(fields: Partial<WebhookEndpointCreate> = {}): Promise<Scene> {
    const cast = await createCast(this.test);
    const { id } = await createEndpoint(cast.owner, { org_id: cast.orgId, ...fields });
    return { ...cast, endpointId: id, owns: { orgId: cast.orgId } };
  }

  /** @param fields `since` is a day ago unless they say otherwise */
  async start(api: Api, endpointId: string, fields: Partial<WebhookRecoveryCreate> = {}): Promise<WebhookRecovery> {
    const body = { since: this.ago(24).toISOString(), ...fields };
    return (await api.post(`/v1/webhooks/${endpointId}/recover`, body)).body;
  }

  async read(api: Api, endpointId: string, { id }: WebhookRecovery): Promise<WebhookRecovery> {
    return (await api.get(`/v1/webhooks/${endpointId}/recoveries/${id}`)).body;
  }

  async stepUntilDone(): Promise<void> {
    for (let steps = 0; await this.runner.step(); steps++) {
      if (steps > 50) throw new Error('It does not come to an end.');
    }
  }

  /**
   * An event some hours ago, and its delivery to an endpoint.
   *
   * @returns the event
   */
  async delivered(endpointId: string, owns: Owner, hours: number, fields: DeliveryFields): Promise<string> {
    const eventId = await createEvent(this.test.dataSource, owns, { type: fields.type, at: this.ago(hours) });
    await createDelivery(this.test.dataSource, endpointId, { ...fields, eventId });
    return eventId;
  }

  /** The statuses of the deliveries of an endpoint, by event. */
  async statusesOf(endpointId: string): Promise<Map<string, string>> {
    const rows = await this.test.dataSource.query<{ event_id: string; status: string }[]>(
      `SELECT event_id, status FROM webhook_deliveries WHERE endpoint_id = $1`,
      [endpointId],
    );
    return new Map(rows.map(({ event_id, status }) => [event_id, status]));
  }

  /** The events that are queued for an endpoint, in the order of their ids. */
  async queuedEvents(endpointId: string): Promise<string[]> {
    return (await queueOf(this.test.dataSource, endpointId)).map(({ event_id }) => event_id).sort();
  }
}
