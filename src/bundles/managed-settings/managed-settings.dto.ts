import { ApiProperty } from '@nestjs/swagger';
import { IdField } from '../../http/requests/fields';
import type { AllowedServer, Unlisted } from './allow-list';

/** The part of the file of clients with managed settings that is about MCP servers. */
export class ManagedSettingsOut {
  @ApiProperty({
    type: 'array',
    items: {
      oneOf: [
        {
          type: 'object',
          required: ['serverUrl'],
          additionalProperties: false,
          properties: { serverUrl: { type: 'string', example: 'https://weather.example.com/mcp' } },
        },
        {
          type: 'object',
          required: ['serverCommand'],
          additionalProperties: false,
          properties: {
            serverCommand: { type: 'array', items: { type: 'string' }, example: ['npx', '-y', '@acme/weather@1.4.0'] },
          },
        },
      ],
    },
    description: 'A client runs only these, and none at all if the list is empty.',
  })
  allowedMcpServers: AllowedServer[];
}

class UnlistedOut {
  @IdField()
  listing_id: string;

  @ApiProperty({ example: 'io.github.acme/weather' })
  name: string;

  @ApiProperty()
  detail: string;
}

export class ManagedSettingsReportOut {
  @ApiProperty({ type: 'integer', description: 'Entries of the allow list.' })
  allowed: number;

  @ApiProperty({
    type: [UnlistedOut],
    description: 'Servers that no entry can name, and why: clients will not run them.',
  })
  unlisted: Unlisted[];
}
