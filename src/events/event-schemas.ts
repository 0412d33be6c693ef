import { EVENT_CATALOGUE, type EventType, type EventTypeEntry } from './event-catalogue';
import type { DataOf, EventShape } from './event-shape';
import { BUNDLE_EVENTS } from './schemas/bundle-events';
import { DEPLOYMENT_EVENTS } from './schemas/deployment-events';
import { LISTING_EVENTS } from './schemas/listing-events';
import { ORGANISATION_EVENTS } from './schemas/organisation-events';
import { SCIM_EVENTS } from './schemas/scim-events';
import { PING, WEBHOOK_EVENTS } from './schemas/webhook-events';

/** The data of every type of the catalogue. A type without one does not compile. */
const SHAPES = {
  ...LISTING_EVENTS,
  ...BUNDLE_EVENTS,
  ...DEPLOYMENT_EVENTS,
  ...ORGANISATION_EVENTS,
  ...SCIM_EVENTS,
  ...WEBHOOK_EVENTS,
} satisfies Record<EventType, EventShape>;

/** What the data of each event type is: `EventData['bundle.created']`. */
export type EventData = { [T in EventType]: DataOf<(typeof SHAPES)[T]['fields']> };

/** What the data of a ping is. */
export type PingData = DataOf<(typeof PING)['fields']>;

/** The body of a delivery (contract, section 8). */
export interface EventPayload {
  type: string;
  /** When it happened: RFC 3339, UTC, milliseconds. */
  timestamp: string;
  data: object;
}

/** An event type with all that a receiver needs to know of it. */
export interface DescribedEventType extends EventTypeEntry {
  /** JSON Schema (draft 2020-12) of the whole body of a delivery. */
  readonly schema: Readonly<Record<string, unknown>>;
  /** Such a body. */
  readonly example: EventPayload;
}

const GROWTH =
  'Versioned by addition only: fields may be added at any time, none is taken away or changed. Ignore those that you do not know.';

function describe(entry: EventTypeEntry, { fields, example }: EventShape): DescribedEventType {
  const { event_type, label, description } = entry;
  const properties = Object.fromEntries(Object.entries(fields).map(([name, { schema }]) => [name, schema]));
  return {
    ...entry,
    schema: {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      $id: `urn:toolyard:event:${event_type}`,
      title: label,
      description: `${description} ${GROWTH}`,
      type: 'object',
      required: ['type', 'timestamp', 'data'],
      properties: {
        type: { const: event_type, description: 'The event type.' },
        timestamp: {
          type: 'string',
          format: 'date-time',
          description: 'When it happened, whenever it is delivered: RFC 3339, UTC, milliseconds.',
        },
        data: {
          type: 'object',
          description: `What happened. ${GROWTH}`,
          required: Object.keys(properties),
          properties,
          additionalProperties: true,
        },
      },
      additionalProperties: true,
    },
    example: { type: event_type, timestamp: '2026-11-20T08:30:00.000Z', data: example },
  };
}

/** All types of the catalogue, in its order, with schema and example. */
export const DESCRIBED_EVENT_TYPES: readonly DescribedEventType[] = EVENT_CATALOGUE.map((entry) =>
  describe(entry, SHAPES[entry.event_type]),
);

/** Not in the catalogue: it is sent when somebody asks for it, to the endpoint for which they ask. */
export const PING_EVENT = describe(
  {
    event_type: 'webhook.ping',
    group: 'Webhooks',
    label: 'Ping',
    description: 'Somebody asked for a delivery, to try out an endpoint. Every endpoint can get it, subscribed or not.',
  },
  PING,
);
