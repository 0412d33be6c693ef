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
        endpoint_id: id('The endpoint; it receives nothing until it is enabled again.'),
        target_url: text('The address of the endpoint, with `?…` in place of its query.'),
        reason: known(
          ['gone', 'failing'],
          'Why it was disabled. `gone`: it responded with 410. `failing`: it failed for 5 days without one success.',
        ),
        failing_since: orNull(
          instant('The start of the current run of failures; null if only the last attempt failed.'),
        ),
        last_event_type: orNull(text('The type of the last event sent; null if unknown.')),
        last_response_status: orNull(count('The status of the last response; null if there was none.')),
        last_error: orNull(text('The error code of the last attempt; null if unknown.')),
        org_id: ORG_ID,
        owner_id: id('The user who created it.'),
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

/** Sent only on request, by `POST /v1/webhooks/{endpoint_id}/ping`, so it cannot be subscribed to. */
export const PING = defineEvents('Webhooks', {
  'webhook.ping': event(
    'Ping',
    'A user tested an endpoint. Every endpoint can receive it; no subscription is needed.',
    shape(
      {
        endpoint_id: id('The tested endpoint.'),
        org_id: ORG_ID,
        message: text('A text for people who read the log of the receiver.'),
      },
      {
        endpoint_id: SAMPLE_ENDPOINT,
        org_id: SAMPLE.organisation,
        message: 'Hello from Toolyard.',
      },
    ),
  ),
});
