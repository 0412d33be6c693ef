import { ApiProperty } from '@nestjs/swagger';
import { InstantField } from '../../http/requests/fields';

export class WebhookPreviewHeaderOut {
  @ApiProperty({ example: 'webhook-id' })
  name: string;

  @ApiProperty({
    type: 'string',
    nullable: true,
    description: 'Null if it is not shown: the values of custom headers, and the signatures.',
  })
  value: string | null;
}

/** The request of a delivery as it would go now. */
export class WebhookPreviewOut {
  @ApiProperty({ type: 'string', enum: ['POST'] })
  method: 'POST';

  @ApiProperty({ example: 'https://hooks.example.com/toolyard', description: 'The complete `target_url`.' })
  url: string;

  @InstantField({ description: 'The time of `webhook-timestamp`, in whole seconds.' })
  at: string;

  @ApiProperty({ type: [WebhookPreviewHeaderOut], description: 'In the order in which they are sent.' })
  headers: WebhookPreviewHeaderOut[];

  @ApiProperty({
    type: 'integer',
    minimum: 1,
    description: 'How many signatures `webhook-signature` has: one of the secret, and one of each former secret.',
  })
  signature_count: number;

  @ApiProperty({
    description: 'The text that is signed: `webhook-id`, `webhook-timestamp` and body, with full stops between them.',
  })
  signed_content: string;

  @ApiProperty({ description: 'The exact text of the body.' })
  body: string;

  @ApiProperty({
    type: 'string',
    nullable: true,
    description: 'Why it would be refused before anything is sent; null if it would not.',
  })
  refusal: string | null;
}
