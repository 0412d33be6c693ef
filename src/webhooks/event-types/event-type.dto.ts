import { ApiProperty, OmitType } from '@nestjs/swagger';
import { DescribedEventType, type EventPayload, EventTypeEntry } from '../../events/event-schemas';
import { EVENT_TYPE_SCHEMA, type EventType } from '../../events/event-types';
import { InstantField } from '../../http/requests/fields';

export class SubscribableEventTypeOut implements EventTypeEntry {
  @ApiProperty({ ...EVENT_TYPE_SCHEMA, example: 'bundle.created' })
  event_type: EventType;

  @ApiProperty({ example: 'Bundles' })
  group: string;

  @ApiProperty({ example: 'Bundle created' })
  label: string;

  @ApiProperty({ example: 'A bundle was created.' })
  description: string;
}

/** The body of a delivery. */
export class EventPayloadOut implements EventPayload {
  @ApiProperty({ example: 'bundle.followed' })
  type: string;

  @InstantField({ description: 'When the event occurred.' })
  timestamp: string;

  @ApiProperty({ type: 'object', additionalProperties: true })
  data: object;
}

export class EventTypeDetailOut
  extends OmitType(SubscribableEventTypeOut, ['event_type'])
  implements DescribedEventType
{
  @ApiProperty({
    ...EVENT_TYPE_SCHEMA,
    enumName: 'AnyEventType',
    example: 'bundle.followed',
    description: 'A type of the catalogue, or `webhook.ping`, which is sent only on request.',
  })
  event_type: string;

  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    description: 'JSON Schema (draft 2020-12) of the complete body of a delivery. Changes only by addition.',
  })
  schema: Record<string, unknown>;

  @ApiProperty({ type: EventPayloadOut, description: 'An example of the body.' })
  example: EventPayload;
}
