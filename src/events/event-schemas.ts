import type { EventDeclaration } from './event-types';

/** One event type, in the words that clients show. */
export interface EventTypeEntry {
  readonly event_type: string;
  readonly group: string;
  readonly label: string;
  readonly description: string;
}

/** The body of a delivery (contract, section 8). */
export interface EventPayload {
  type: string;
  /** When it happened: RFC 3339, UTC, milliseconds. */
  timestamp: string;
  data: object;
}

/** An event type with everything that a receiver needs to know about it. */
export interface DescribedEventType extends EventTypeEntry {
  /** JSON Schema (draft 2020-12) of the whole body of a delivery. */
  readonly schema: Readonly<Record<string, unknown>>;
  /** An example of such a body. */
  readonly example: EventPayload;
}

const GROWTH =
  'Versioned by addition only: fields may be added at any time, but never removed or changed. Ignore unknown fields.';

/** Adds to the declaration of an event type what its receivers need to know. */
export function describeEvent(
  event_type: string,
  group: string,
  { label, description, fields, example }: EventDeclaration,
): DescribedEventType {
  const properties = Object.fromEntries(Object.entries(fields).map(([name, { schema }]) => [name, schema]));
  return {
    event_type,
    group,
    label,
    description,
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
          description: 'When it happened, not when it was delivered: RFC 3339, UTC, milliseconds.',
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
