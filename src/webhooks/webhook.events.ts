import { count, id, instant, known, orNull, shape, text } from '../events/event-shape';
import { type DataOfEvents, defineEvents, event } from '../events/event-types';
import { ORG_ID, SAMPLE } from '../organisations/organisation.events';

const SAMPLE_ENDPOINT = '019a9f66-1b70-7593-a4ce-86d2f0b9537e';

export const WEBHOOK_EVENTS = defineEvents('Webhooks', {
  'webhook.endpoint_disabled': event(
    'Webhook endpoint disabled',
    'An endpoint was disabled because its deliveries kept failing.',
    shape(
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
        endpoint_id: SAMPLE_ENDPOINT,
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
  ),
});

declare module '../events/event-types' {
  interface EventTypes extends DataOfEvents<typeof WEBHOOK_EVENTS> {}
}

/** Sent when somebody asks for it, by `POST /v1/webhooks/{endpoint_id}/ping` alone, so nobody subscribes to it. */
export const PING = defineEvents('Webhooks', {
  'webhook.ping': event(
    'Ping',
    'A user tested an endpoint. Every endpoint can receive it, subscribed or not.',
    shape(
      {
        endpoint_id: id('The endpoint that is tried.'),
        org_id: ORG_ID,
        message: text('For a person who reads the log of the receiver.'),
      },
      {
        endpoint_id: SAMPLE_ENDPOINT,
        org_id: SAMPLE.organisation,
        message: 'Hello from Toolyard.',
      },
    ),
  ),
});
