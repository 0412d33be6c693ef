import { ApiProperty } from '@nestjs/swagger';
import { EVENT_TYPES, type EventType, EventTypeEntry } from '../events/event-catalogue';

export class EventTypeOut implements EventTypeEntry {
  @ApiProperty({ type: 'string', enum: [...EVENT_TYPES], example: 'bundle.created' })
  event_type: EventType;

  @ApiProperty({ example: 'Bundles' })
  group: string;

  @ApiProperty({ example: 'Bundle created' })
  label: string;

  @ApiProperty({ example: 'A bundle was created.' })
  description: string;
}
