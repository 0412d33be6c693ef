import type { EventType } from '../event-catalogue';
import { count, type EventShape, id, instant, known, ORG_ID, orNull, shape, text } from '../event-shape';
import { SAMPLE } from './sample-ids';

export const WEBHOOK_EVENTS = {
  'webhook.endpoint_disabled': shape(
    {
      endpoint_id: id('The endpoint; it gets nothing more until it is made active again.'),
      target_url: text('Where its deliveries went, with `?…` in place of its query.'),
      reason: known(['gone', 'failing'], 'Why: it answered 410, or it failed for 5 days without one success.'),
      failing_since: orNull(
        instant('Since when every attempt has failed; null: the one before the last still succeeded.'),
      ),
      last_event_type: orNull(text('The type of the event that was last sent; null: not known.')),
      last_response_status: orNull(count('The status of its last answer; null: it gave none.')),
      last_error: orNull(text('What went wrong, as the attempts of a delivery name it; null: not known.')),
      org_id: ORG_ID,
      owner_id: id('The person who made it.'),
      disabled_at: instant('When it was disabled.'),
    },
    {
      endpoint_id: SAMPLE.endpoint,
      target_url: 'https://hooks.acme.example/toolyard',
      reason: 'failing',
      failing_since: '2026-11-15T08:29:12.480Z',
      last_event_type: 'bundle.created',
      last_response_status: 503,
      last_error: 'http_status',
      org_id: SAMPLE.organisation,
      owner_id: SAMPLE.administrator,
      disabled_at: '2026-11-20T08:30:00.000Z',
    },
  ),
} satisfies Partial<Record<EventType, EventShape>>;

/** Sent by `POST /v1/webhooks/{endpoint_id}/ping` alone, so nobody subscribes to it. */
export const PING = shape(
  {
    endpoint_id: id('The endpoint that is tried.'),
    org_id: ORG_ID,
    message: text('For a person who reads the log of the receiver.'),
  },
  {
    endpoint_id: SAMPLE.endpoint,
    org_id: SAMPLE.organisation,
    message: 'Hello from Toolyard.',
  },
);
