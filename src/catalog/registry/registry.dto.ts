import { ApiProperty } from '@nestjs/swagger';
import { CURSOR_FORMAT } from '../../http/requests/page';

/** The query of `/servers`. */
export class RegistryQuery {
  @ApiProperty({
    type: 'string',
    // Some clients send an empty one for the first page.
    anyOf: [{ format: CURSOR_FORMAT }, { maxLength: 0 }],
    required: false,
    description: '`metadata.nextCursor` of the page before; carries the filter. Empty: the first page.',
  })
  cursor?: string;

  @ApiProperty({ type: 'integer', minimum: 1, maximum: 100, default: 30, required: false })
  limit: number;

  @ApiProperty({
    type: 'string',
    required: false,
    maxLength: 200,
    description: 'A part of the name, whatever its case.',
  })
  search?: string;

  @ApiProperty({
    type: 'string',
    format: 'date-time',
    required: false,
    description: 'Only what changed strictly after; deleted ones are included then.',
  })
  updated_since?: string;

  @ApiProperty({
    type: 'string',
    required: false,
    maxLength: 255,
    description: '`latest`, or one version; all when it is left out.',
  })
  version?: string;

  @ApiProperty({ type: 'boolean', required: false, description: 'Also what is deleted, or is shown no more.' })
  include_deleted?: boolean;
}

/** The query of one version. */
export class RegistryVersionQuery {
  @ApiProperty({ type: 'boolean', required: false, description: 'Also what is deleted, or is shown no more.' })
  include_deleted?: boolean;
}

export class RegistryVersionsQuery extends RegistryVersionQuery {
  @ApiProperty({
    type: 'string',
    format: CURSOR_FORMAT,
    required: false,
    description: '`metadata.nextCursor` of the page before. Empty: the first page.',
  })
  cursor?: string;
}

export class ServerResponseOut {
  @ApiProperty({ type: 'object', additionalProperties: true, description: 'The `server.json` of the version.' })
  server: object;

  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    description:
      '`io.modelcontextprotocol.registry/official`: status and times; `com.toolyard/listing`: id and category (also as `toolyard/listing`, which is its former name).',
  })
  _meta: object;
}

export class ServerListMetadata {
  @ApiProperty({ type: 'integer', description: 'Entries in this page.' })
  count: number;

  @ApiProperty({
    type: 'string',
    required: false,
    description: 'Absent on the last page. A page ends at `limit` or at 1 MiB.',
  })
  nextCursor?: string;
}

export class ServerListOut {
  @ApiProperty({ type: [ServerResponseOut] })
  servers: ServerResponseOut[];

  @ApiProperty({ type: ServerListMetadata })
  metadata: ServerListMetadata;
}

export class RegistryCategoriesOut {
  @ApiProperty({
    type: 'array',
    items: {
      type: 'object',
      required: ['slug', 'name', 'description', 'icon', 'count'],
      additionalProperties: false,
      properties: {
        slug: { type: 'string' },
        name: { type: 'string' },
        description: { type: 'string' },
        icon: { type: 'string', description: 'The name of a Lucide icon.' },
        count: { type: 'integer', description: 'Servers in it, as of the last refresh: at most 8 hours ago.' },
      },
    },
  })
  categories: { slug: string; name: string; description: string; icon: string; count: number }[];
}

export class RegistryFacetsQuery {
  @ApiProperty({
    type: 'string',
    required: false,
    maxLength: 200,
    description: 'A part of the name, whatever its case.',
  })
  search?: string;
}

export class RegistryFacetsOut {
  @ApiProperty({ type: 'integer' })
  total: number;

  @ApiProperty({
    type: 'array',
    items: {
      type: 'object',
      required: ['category', 'count'],
      additionalProperties: false,
      properties: { category: { type: 'string' }, count: { type: 'integer' } },
    },
    description: 'Servers by category, in display order.',
  })
  facets: { category: string; count: number }[];
}
